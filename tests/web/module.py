"""module.py FOLDER: the JavaScript module (build/web/texla) used by a page (module.html), which a server gives as any other would. 77: there is no browser,
or no module (make web)."""

import functools
import http.server
import json
import pathlib
import sys
import threading

from browser import Browser, chromium

HERE = pathlib.Path(__file__).resolve().parent


class Server(http.server.SimpleHTTPRequestHandler):
    def translate_path(self, path):
        return str(HERE / "module.html") if path == "/" else super().translate_path(path)

    def log_message(self, *_):
        pass


def main(folder):
    folder = pathlib.Path(folder).resolve()
    if not (folder / "worker.js").exists() or not chromium():
        print(f"skipped: no {folder} (make web), or no chromium")
        return 77
    package = json.loads((folder / "package.json").read_text())
    missing = [name for name in package["files"] if not (folder / name).exists()]
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Server, directory=folder.parent))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with Browser() as browser:
        page = browser.open(f"http://127.0.0.1:{server.server_port}/", 400, 300)
        page.wait("self.result !== undefined")
        answer = page.evaluate("self.result")
        wrong = answer["wrong"] + page.errors + [f"missing: {name}" for name in missing]
    server.shutdown()
    for what in wrong:
        print(f"FAILED: {what}")
    print(f"on {answer['renderer']}: {len(wrong)} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
