#!/usr/bin/env python3
"""A simulation's page: everything in one HTML file that opens from disk.

    page.py TITLE PROGRAM.js SCENES PICTURES OUT.html

PROGRAM.js, with PROGRAM.wasm beside it: what emcc made; SCENES: the folder of NN-name.scene files; PICTURES: a folder with NAME.png for some of them, which
need not exist. The other parts stand beside this file."""
import base64
import json
import re
import sys
from pathlib import Path

from assemble import assemble, guarded, text_of


def scenes(folder, pictures):
    names = [re.sub(r"^\d+-", "", path.stem) for path in sorted(Path(folder).glob("*.scene"))]
    for name in names:
        picture = Path(pictures) / f"{name}.png"
        source = "data:image/png;base64," + base64.b64encode(picture.read_bytes()).decode() if picture.exists() else None
        yield {"name": name, "picture": source}


def main():
    title, program, scene_folder, pictures, out = sys.argv[1:]
    here = Path(__file__).parent
    files = {"STYLE": here / "style.css", "UNPACK": here / "unpack.js", "PAGE": here / "simulation.js", "PROGRAM": Path(program),
             "WASM": Path(program).with_suffix(".wasm")}
    parts = {name: text_of(file, True) for name, file in files.items()}
    parts.update(TITLE=title, SCENES=json.dumps(list(scenes(scene_folder, pictures))))
    Path(out).write_text(guarded(assemble((here / "simulation.html").read_text(), parts)))


if __name__ == "__main__":
    main()
