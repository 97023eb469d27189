"""paths.py SOURCE: files that comments of C and GLSL name are in the repository, by their path or the end of it."""

import pathlib
import re
import subprocess
import sys

source = pathlib.Path(sys.argv[1])
# Files that are not in a repository yet count, too.
listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=source, capture_output=True, text=True)
files = [file for file in listed.stdout.split("\n") if (source / file).is_file()]
if listed.returncode:
    print("skipped: no repository")
    sys.exit(77)
ends = {file.split("/", k)[-1] for file in files for k in range(file.count("/") + 1)}
comment = re.compile(r"/\*.*?\*/|//[^\n]*", re.S)
named = re.compile(r"(?<![\w/.<-])(?:[\w-]+/)*[\w-]+\.(?:c|h|frag|vert|geom|glsl|inc|sh|py|cmake|md|m)(?!\w)")
count, wrong = 0, []
for file in files:
    if not re.search(r"\.(c|h|inc|frag|vert|geom|glsl)$", file):
        continue
    text = (source / file).read_text()
    for at, words in ((m.start(), named.findall(m[0])) for m in comment.finditer(text)):
        count += len(words)
        line = text.count("\n", 0, at) + 1
        wrong += [f"{file}:{line}: there is no {word}" for word in words if word not in ends and not re.search("[A-Z]{4}", word)]
print("\n".join(wrong) or f"{count} files are named")
sys.exit(bool(wrong) or count < 300)
