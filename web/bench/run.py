"""run.py FOLDER PAGE [ROUNDS [OPERATION...]]: PAGE (bench.html, steps.html) of that folder in headless Chromium; run.sh makes the folder. For each operation and library the
median, over rounds in which the libraries take turns, of what one more repetition costs: by the clock, and in processor time of the browser's processes (the renderer
is software: all that is computed is in there), which other work on the machine hardly changes."""

import functools
import http.server
import json
import os
import pathlib
import statistics
import sys
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "tests/web"))
from browser import Browser  # noqa: E402

MORE = {"product": 2}  # repetitions beyond the first one; 16 of those that take milliseconds
SLOW = {("product", "GPU.js"), ("stencil", "TensorFlow.js")}  # seconds: once


def family(pid):
    """The process and those that it has started."""
    children = []
    for task in os.listdir(f"/proc/{pid}/task"):
        children += pathlib.Path(f"/proc/{pid}/task/{task}/children").read_text().split()
    return [pid, *(p for child in children for p in family(int(child)))]


def processor_seconds(pid):
    """Of all threads of a browser so far."""
    nanoseconds = 0
    for process in family(pid):
        for path in pathlib.Path(f"/proc/{process}/task").glob("*/schedstat"):
            try:
                nanoseconds += int(path.read_text().split()[0])
            except (FileNotFoundError, ProcessLookupError):
                pass  # a thread that has ended meanwhile
    return nanoseconds / 1e9


class Bench:
    def __init__(self, browser, page):
        self.browser, self.page = browser, page

    def run(self, library, what, times):
        """(clock, processor) seconds of so many repetitions, each on what the one before has made, until a number of the last result is here."""
        before, start = processor_seconds(self.browser.process.pid), time.monotonic()
        self.page.evaluate(f"once({json.dumps(library)}, {json.dumps(what)}, {times})")
        return time.monotonic() - start, processor_seconds(self.browser.process.pid) - before

    def one(self, library, what):
        more = 1 if (what, library) in SLOW else MORE.get(what, 16)
        few, many = self.run(library, what, 1), self.run(library, what, 1 + more)
        return [1e3 * (b - a) / more for a, b in zip(few, many)]

    def measure(self, what, libraries, rounds):
        found = {library: [] for library in libraries}
        for library in libraries:
            self.run(library, what, 1)  # compiles
        for turn in range(rounds):
            for library in libraries:
                if turn < 1 or (what, library) not in SLOW:
                    found[library].append(self.one(library, what))
        return {library: [statistics.median(column) for column in zip(*times)] for library, times in found.items()}


class Server(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


def table(what, times):
    print(f"\n{what:10}  ms by the clock   processor ms")
    for library, (clock, processor) in times.items():
        ratios = f"{(clock / times['texla'][0]):7.1f} x {processor / times['texla'][1]:7.1f} x texla's" if library != "texla" else ""
        print(f"  {library:16} {clock:10.2f} {processor:12.2f}   {ratios}", flush=True)


def main(folder, name, rounds="5", *only):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Server, directory=folder))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with Browser() as browser:
        browser.patience = 300
        page = browser.open(f"http://127.0.0.1:{server.server_port}/{name}", 400, 300)
        page.wait("self.ready !== undefined", 60)
        operations = page.evaluate("ready")
        print(page.evaluate("renderer()"))
        bench = Bench(browser, page)
        for what, libraries in operations.items():
            if only and what not in only:
                continue
            if page.evaluate("self.notes !== undefined"):
                print(page.evaluate(f"notes({json.dumps(what)})"))
            table(what, bench.measure(what, libraries, int(rounds)))
    server.shutdown()


if __name__ == "__main__":
    main(*sys.argv[1:])
