"""names.py SRC: static functions whose name several files of the library's rooms have, one a line."""
import collections
import glob
import re
import sys

ROOMS = "core gl vector matrix dense multigrid krylov io trace".split()
# Files for other systems, which are not compiled here, and words that members or macros have as well.
LEFT = re.compile(r"gl/platform_w|gl/dialect\.c|refine|matrix/(columns|points)")
WORDS = {"cost", "sweep"}
static = re.compile(r"^static (?:inline )?[\w *]*?\b(\w+)\(", re.M)

files = [f for room in ROOMS for f in sorted(glob.glob(f"{sys.argv[1]}/{room}/*.c")) if not LEFT.search(f)]
if not files:
    print("no files")
places = collections.defaultdict(list)
for f in files:
    for name in sorted(set(static.findall(open(f, encoding="utf-8").read()))):
        places[name].append(f)
for name in sorted(places):
    if len(places[name]) > 1 and not name.startswith("tx") and name not in WORDS:
        print(name, *places[name])
print(len(places), "names were looked at")
