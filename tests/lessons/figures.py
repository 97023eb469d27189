"""figures.py SOURCE BUILD [--timed]: figures in lessons' prose that say what a program prints are compared with what it prints.

A page marks them: <output for="main slots a row">10</output> is a number in a line that contains `slots a row` and that the lesson's
program prints; `solution` and other names stand for the programs beside it. Rounding is allowed: 0.6 stands for 0.598.
What a page says of speed depends on the machine: <output for="order 1 naive before packed">half of what is written</output> says that the last
numbers of these two lines rise, 2 would be the last but one. Such sentences are looked at with --timed alone, on a machine that does nothing else:

    python3 tests/lessons/figures.py . build --timed"""

import pathlib
import re
import subprocess
import sys

source, build = map(pathlib.Path, sys.argv[1:3])
timed = "--timed" in sys.argv[3:]
printed, wrong, marked = {}, [], 0


def lines(folder, program):
    """What the program prints, run once."""
    name = folder if program == "main" else f"{folder}_{program}"
    if name not in printed:
        done = subprocess.run([build / "lessons" / name, "--check"], capture_output=True, text=True)
        printed[name] = done.stdout.split("\n")
    return printed[name]


def stands_for(figure, number):
    """Whether the number, rounded to the figure's last digit, is the figure."""
    decimals = len(figure.partition(".")[2])
    return abs(float(figure) - number) <= 0.5000001 * 10.0**-decimals if decimals else float(figure) == number


def numbers(line):
    return [float(text) for text in re.findall(r"(?<![\w.])-?\d+(?:\.\d+)?(?:e[+-]?\d+)?", line)]


def number_of(folder, text, place):
    """That number from the end of the first line that begins with the text; NaN where there is none."""
    found = [numbers(line) for line in lines(folder, "main") if line.startswith(text)]
    return found[0][-place] if found and len(found[0]) >= place else float("nan")


for page in sorted(source.glob("demos/lessons/*/page.md")):
    for words, figure in re.findall(r'<output for="([^"]*)">([^<]*)</output>', page.read_text()):
        program, _, text = words.partition(" ")
        if program == "order":
            place, _, text = text.partition(" ")
            names = text.split(" before ")
            speeds = [number_of(page.parent.name, name, int(place)) for name in names] if timed else []
            marked += 1
            if any(not a < b for a, b in zip(speeds, speeds[1:])):
                wrong.append(f"{page.parent.name}: the page says \"{figure}\", but {dict(zip(names, speeds))}")
            elif timed:
                print(f"{page.parent.name}: {dict(zip(names, speeds))}, as \"{figure}\" says")
            continue
        found = [line for line in lines(page.parent.name, program) if text in line]
        marked += 1
        if not any(stands_for(figure, number) for line in found for number in numbers(line)):
            shown = "; ".join(found) or "no such line"
            wrong.append(f"{page.parent.name}: the page says {figure} of \"{text}\", the program {program} prints: {shown}")

print("\n".join(wrong))
if not marked:
    print("no page marks a figure")
sys.exit(1 if wrong or not marked else 0)
