#!/usr/bin/env python3
"""A simulation's page: everything in one HTML file that opens from disk.

    page.py TITLE PROGRAM.js SCENES PICTURES OUT.html

PROGRAM.js, with PROGRAM.wasm beside it: what emcc made; SCENES: the folder of NN-name.scene files; PICTURES: a folder with NAME.png for some of them, which
need not exist. The other parts stand beside this file."""
import base64
import gzip
import json
import re
import sys
from pathlib import Path


def scenes(folder, pictures):
    names = [re.sub(r"^\d+-", "", path.stem) for path in sorted(Path(folder).glob("*.scene"))]
    for name in names:
        picture = Path(pictures) / f"{name}.png"
        source = "data:image/png;base64," + base64.b64encode(picture.read_bytes()).decode() if picture.exists() else None
        yield {"name": name, "picture": source}


def packed(path):
    """A file as text, a third of its size."""
    return base64.b64encode(gzip.compress(path.read_bytes(), mtime=0)).decode()


def script(text):
    """A script within a page must not end it."""
    return re.sub(r"</(script)", r"<\\/\1", text, flags=re.IGNORECASE).replace("<!--", r"<\!--")


def main():
    title, program, scene_folder, pictures, out = sys.argv[1:]
    here = Path(__file__).parent
    page = (here / "simulation.js").read_text().replace("@SCENES@", json.dumps(list(scenes(scene_folder, pictures))))
    page = page.replace("@WASM@", packed(Path(program).with_suffix(".wasm")))
    parts = {"TITLE": title, "STYLE": (here / "style.css").read_text(), "PAGE": script(page), "PROGRAM": script(Path(program).read_text())}
    template = (here / "simulation.html").read_text()
    Path(out).write_text(re.sub("@(TITLE|STYLE|PAGE|PROGRAM)@", lambda match: parts[match.group(1)], template))


if __name__ == "__main__":
    main()
