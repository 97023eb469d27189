"""module.py FOLDER: the JavaScript module (build/web/texla), as `npm pack` packs it, used by a page (module.html), which a server gives as any other would; and the
examples of its README and of docs/browser.md run as they stand; what its types allow and refuse, where there is a tsc. 77: there is no browser, or no module (make web)."""

import functools
import http.server
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import threading

from browser import Browser, chromium

HERE = pathlib.Path(__file__).resolve().parent
DOCUMENTS = {"readme": HERE.parents[1] / "web/module/README.md", "browser": HERE.parents[1] / "docs/browser.md"}


def example_of(path):
    """The first block of JavaScript in a document."""
    return re.search(r"```js\n(.*?)```", path.read_text(), flags=re.S).group(1)


class Server(http.server.SimpleHTTPRequestHandler):
    def translate_path(self, path):
        return str(HERE / "module.html") if path == "/" else super().translate_path(path)

    def log_message(self, *_):
        pass


def packed(folder, place):
    """The module as who installs it has it: place/texla."""
    if not shutil.which("npm"):
        print("skipped: packing, no npm (package npm)")
        return shutil.copytree(folder, place / "texla")
    name = subprocess.run(["npm", "pack", "--silent", "--offline", "--pack-destination", place, folder], check=True, capture_output=True, text=True, timeout=120,
                          env={**os.environ, "HOME": str(place)}).stdout.strip()
    with tarfile.open(place / name) as archive:
        archive.extractall(place)
    return (place / "package").rename(place / "texla")


def mistyped(place):
    """What tsc says of the documents' examples, and of a program that uses all calls and some of them wrongly, where it must say something (module.mts)."""
    tsc = shutil.which("tsc")
    if not tsc:
        print("skipped: types, no tsc (package node-typescript)")
        return []
    (place / "node_modules").mkdir()
    (place / "texla").rename(place / "node_modules/texla")
    texts = {**{name: example_of(path) for name, path in DOCUMENTS.items()}, "module": (HERE / "module.mts").read_text()}
    for name, text in texts.items():
        (place / f"{name}.mts").write_text(text)
    options = ["--noEmit", "--strict", "--target", "es2022", "--module", "nodenext", "--moduleResolution", "nodenext"]
    said = subprocess.run([tsc, *options, *(f"{name}.mts" for name in texts)], cwd=place, capture_output=True, text=True, timeout=300).stdout
    (place / "node_modules/texla").rename(place / "texla")
    return said.splitlines()


def main(folder):
    folder = pathlib.Path(folder).resolve()
    if not (folder / "worker.js").exists() or not chromium():
        print(f"skipped: no {folder} (make web), or no chromium")
        return 77
    with tempfile.TemporaryDirectory() as place:
        return use(packed(folder, pathlib.Path(place)))


def use(folder):
    package = json.loads((folder / "package.json").read_text())
    missing = [name for name in package["files"] if not (folder / name).exists()]
    mistakes = mistyped(folder.parent)
    (folder.parent / "examples").mkdir()
    for name, path in DOCUMENTS.items():
        (folder.parent / f"examples/{name}.js").write_text(example_of(path))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Server, directory=folder.parent))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with Browser() as browser:
        page = browser.open(f"http://127.0.0.1:{server.server_port}/", 400, 300)
        page.wait("self.result !== undefined")
        answer = page.evaluate("self.result")
        wrong = answer["wrong"] + page.errors + mistakes + [f"missing: {name}" for name in missing]
    server.shutdown()
    for what in wrong:
        print(f"FAILED: {what}")
    print(f"on {answer['renderer']}: {len(wrong)} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
