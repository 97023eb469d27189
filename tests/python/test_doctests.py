"""The examples in the module's docstrings; and its files stand on each other without a circle."""
import ast
import doctest
import importlib
import pathlib
import sys

import texla

root = pathlib.Path(texla.__file__).parent
files = {".".join(("texla", *path.relative_to(root).with_suffix("").parts)).removesuffix(".__init__"): path for path in root.rglob("*.py")}


def imported(name):
    """The files of the package that a file imports, anywhere in it."""
    path = files[name]
    package = name.split(".") if path.name == "__init__.py" else name.split(".")[:-1]
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.level:
            base = ".".join(package[:len(package) - node.level + 1] + ([node.module] if node.module else []))
            # `from . import a` is about a, and not about the package that is being loaded
            yield from [f"{base}.{alias.name}" for alias in node.names if f"{base}.{alias.name}" in files] or [base]
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in files)


def circle(name, above=(), free=set()):
    """Files that import each other in a circle, beginning at one; none: an empty tuple. `free` are those below which there is none."""
    if name in above:
        return (*above[above.index(name):], name)
    if name not in free:
        for other in imported(name):
            found = circle(other, (*above, name), free)
            if found:
                return found
    free.add(name)
    return ()


failed = ran = 0
for name in files:
    result = doctest.testmod(importlib.import_module(name))
    failed, ran = failed + result.failed, ran + result.attempted
print(f"{ran} examples, {failed} failed; {len(files)} files")
found = circle("texla")
if found:
    print("a circle: " + " -> ".join(found))
sys.exit(failed > 0 or ran < 20 or len(found) > 0)
