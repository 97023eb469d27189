#!/usr/bin/env python3
"""What the lessons' page says of each, as JSON: title, what is not as in a program, exercise (HTML, by pandoc) and the program that solves it.

    texts.py LESSONS OUT FOLDER..."""
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

NOTES = {
    "15": "This lesson's program hands its work to a second thread, which a page that opens from disk cannot have: only the exercise's solution runs here. There a read "
          "is asked for and taken later, as everywhere; but a worker that does not return to the browser in between waits for it.",
    "16": "In a browser the device is another process: each wait goes there and back, and the clock tells tenths of milliseconds only. So small sizes look dearer than they "
          "are in a program.",
    "18": "WebGL checks more than OpenGL does: it refuses the first mistake, and the texture stays as it was.",
}


def exercise(text):
    """The part of a page from its heading `Exercise` up to the solution."""
    found = re.search(r"^## Exercise\n(.*?)^```c solution", text, flags=re.M | re.S)
    if not found or not shutil.which("pandoc"):
        return ""
    plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", found.group(1))  # links lead to pages that are elsewhere
    return subprocess.run(["pandoc", "-f", "gfm+tex_math_dollars-emoji", "-t", "html5", "--mathml", "--wrap=none"], input=plain,
                          capture_output=True, text=True, check=True).stdout


def about(folder):
    text, solution = (folder / "page.md").read_text(), folder / "solution.c"
    title = re.search(r"^# (.*)$", text, flags=re.M).group(1)
    number = folder.name[:2]
    return {"folder": folder.name, "title": title, "note": NOTES.get(number, ""), "runs": number != "15", "exercise": exercise(text), "solution": solution.read_text() if solution.exists() else None}


def main():
    lessons, out, *folders = sys.argv[1:]
    Path(out).write_text(json.dumps([about(Path(lessons) / folder) for folder in folders]).replace("</", r"<\/"))


if __name__ == "__main__":
    main()
