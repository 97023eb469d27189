"""examples.py FOLDER PAGE...: writes every C example of the pages into FOLDER, a file each, and prints their names.

An example with #include lines is a whole file. All others are statements: they are put into a function that has the names of
prelude.h."""

import pathlib
import re
import sys

folder = pathlib.Path(sys.argv[1])
here = pathlib.Path(__file__).parent
for page in map(pathlib.Path, sys.argv[2:]):
    for k, text in enumerate(re.findall(r"^```c\n(.*?)^```$", page.read_text(), re.M | re.S)):
        name = f"{page.parent.name}_{page.stem}_{k}.c"
        if "#include" not in text:
            text = (here / "prelude.h").read_text() + "void example(void);\nvoid example(void) {\n" + text + "}\n"
        (folder / name).write_text(text)
        print(name, "runs" if "int main(" in text else "compiles")
