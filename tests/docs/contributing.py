"""contributing.py PAGE TREE: does in the sources TREE what the page says, and prints the tests that it adds, as <room>/<name>.

    New file `path`:                         the next fence becomes the file
    In `path`, at the end:                   the next fence is appended
    In `path`, after (before) the line `x`:  the next fence is put there; exactly one line begins
                                             with x, after its indentation"""

import pathlib
import re
import sys

page, tree = pathlib.Path(sys.argv[1]).read_text(), pathlib.Path(sys.argv[2])
step = re.compile(r"^(?:New file|In) `([^`]+)`(?:, (at the end|(?:after|before) the line `[^\n]*`))?:\n\n```\w+\n(.*?)^```$",
                  re.M | re.S)
steps = step.findall(page)
announced = len(re.findall(r"^(?:New file|In) `[^`]+`.*:$", page, re.M))
if announced != len(steps) or not steps:
    sys.exit(f"{announced} steps are announced, {len(steps)} have a fence")
for path, where, text in steps:
    file = tree / path
    if not where:
        if file.exists():
            sys.exit(f"{path} exists already")
        file.write_text(text)
    elif where == "at the end":
        file.write_text(file.read_text() + text)
    else:
        place, _, line = where.partition(" the line ")
        lines = file.read_text().split("\n")
        found = [k for k, known in enumerate(lines) if known.lstrip().startswith(line[1:-1])]
        if len(found) != 1:
            sys.exit(f"{len(found)} lines of {path} begin with {line}, not one")
        at = found[0] + (place == "after")
        file.write_text("\n".join(lines[:at] + text[:-1].split("\n") + lines[at:]))
print("\n".join(f"{pathlib.Path(path).parent.name}/{pathlib.Path(path).stem[5:]}" for path, _, _ in steps if "/test_" in path))
