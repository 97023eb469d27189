"""frames.py PAGES PROGRAMS [SCENE [SIZE [TURNS]]]: navier-stokes in a page (PAGES/navier-stokes.html) beside the desktop's program (PROGRAMS/navier-stokes) in a
window of the same size under Xvfb, both on Mesa's software renderer, in turns: the browser is stopped while the program runs. Machines that have other guests change
their speed within a minute, so it is the ratio of each turn that counts: its median, and between what all but the tenths at both ends lie. Each turn draws the same
pictures: those of the scene's beginning, since later ones may take longer.

Also how soon the page can be used, in a browser that has never seen it: from the beginning of the navigation to the answer to a key, which opens the help, and to the
first picture of the scene."""

import os
import pathlib
import re
import signal
import statistics
import subprocess
import sys
import time

from run import family, processor_seconds

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "tests/web"))
from browser import GRAPHICS, Browser  # noqa: E402

SCREEN = (1280, 1024)
SHOWN = "Module.page.pictures"
FIRST, LAST = 10, 200  # of the pictures that are counted; --bench-window begins with the same
# It also touches the middle after every tenth picture.
TOUCH = """(() => {
  const shown = Module.page.shown, middle = document.getElementById('picture');
  Module.page.shown = first => {
    shown(first);
    if (Module.page.pictures % 10 === 0) Module._demoPagePoint(middle.width / 2, middle.height / 2, 1, 0, 0);
  };
})()"""


class Page:
    """The scene in a browser, which stands still between its turns. A browser ends a graphics process that does not answer, so its watchdog is off."""

    def __init__(self, path, scene, size):
        self.browser = Browser([*GRAPHICS, "--disable-gpu-watchdog"])
        self.browser.__enter__()
        self.page = self.browser.open(path.as_uri() + f"#scene={scene}&--size={size}&--steps-per-frame=1", 1100, 900)
        self.page.wait("document.readyState === 'complete' && window.Module && Module.page && Module.page.state", 200)
        self.page.key("h")
        self.page.wait("document.getElementById('help').open")
        self.answered = self.page.evaluate("performance.now()") / 1e3
        self.page.key("Escape")
        self.page.wait("Module.page.first_picture", 200)
        self.first = self.page.evaluate("Module.page.first_picture") / 1e3
        self.canvas = "x".join(map(str, self.page.evaluate("[document.getElementById('picture').width, document.getElementById('picture').height]")))
        self.page.evaluate(TOUCH)
        self.page.wait(SHOWN + " > 30", 200)
        self.signal(signal.SIGSTOP)

    def signal(self, what):
        for process in family(self.browser.process.pid):
            os.kill(int(process), what)

    def shown(self, count):
        """When at least so many pictures have been shown: (how many, seconds by the clock, of processor time)"""
        pictures = self.page.evaluate(f"new Promise(done => {{ const look = () => {SHOWN} >= {count} ? done({SHOWN}) : setTimeout(look, 20); look(); }})")
        return pictures, time.monotonic(), processor_seconds(self.browser.process.pid)

    def turn(self):
        """(pictures a second, milliseconds of processor time a picture, all processes of the browser counted)"""
        self.signal(signal.SIGCONT)
        self.page.key("r")
        begin = self.page.evaluate(SHOWN)
        few = self.shown(begin + FIRST)
        pictures, seconds, spent = (b - a for a, b in zip(few, self.shown(begin + LAST)))
        self.signal(signal.SIGSTOP)
        return pictures / seconds, 1e3 * spent / pictures

    def close(self):
        self.signal(signal.SIGCONT)
        self.browser.__exit__()


class Desktop:
    def __init__(self, program, scene, size):
        read, write = os.pipe()
        self.server = subprocess.Popen(["Xvfb", "-displayfd", str(write), "-screen", "0", f"{SCREEN[0]}x{SCREEN[1]}x24", "-nolisten", "tcp"], pass_fds=[write],
                                       stderr=subprocess.DEVNULL)
        self.environment = {**os.environ, "DISPLAY": ":" + os.read(read, 16).decode().strip()}
        self.command = [program, "--scene", scene, "--size", size, "--steps-per-frame", "1", "--bench-window"]
        self.run(LAST)

    def run(self, count):
        """(pictures a second, seconds of processor time, the X server's among them)"""
        before = os.times(), processor_seconds(self.server.pid)
        said = subprocess.run([*self.command, str(count)], check=True, timeout=500, env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout
        after = os.times(), processor_seconds(self.server.pid)
        spent = after[0].children_user + after[0].children_system - before[0].children_user - before[0].children_system
        return float(re.search(r"([0-9.]+) pictures a second", said)[1]), spent + after[1] - before[1]

    def turn(self):
        few, many = self.run(FIRST), self.run(LAST)
        return many[0], 1e3 * (many[1] - few[1]) / (LAST - FIRST)

    def close(self):
        self.server.terminate()
        self.server.wait()


def spread(values):
    """The median, and what lies a tenth from both ends."""
    ordered, last = sorted(values), len(values) - 1
    return statistics.median(ordered), ordered[round(last / 10)], ordered[last - round(last / 10)]


def main(pages, programs, scene="smoke", size="160x200", turns="20"):
    page = Page(pathlib.Path(pages).resolve() / "navier-stokes.html", scene, size)
    desktop = Desktop(str(pathlib.Path(programs).resolve() / "navier-stokes"), scene, size)
    try:
        found = [(desktop.turn(), page.turn()) for _ in range(int(turns))]
    finally:
        desktop.close()
        page.close()
    print(f"{scene}, {size} cells, canvas {page.canvas}; a key answered after {page.answered:.2f} s, first picture after {page.first:.2f} s")
    for what, place, unit in (("pictures", 0, "a second"), ("processor time", 1, "ms a picture")):
        for where, rows in zip(("desktop", "page"), zip(*found)):
            print("  {:15}{:8}{:6.1f} ({:.1f} to {:.1f}) {}".format(what, where, *spread([row[place] for row in rows]), unit))
        print("  {:15}{:8}{:6.2f} ({:.2f} to {:.2f})".format(what, "ratio", *spread([rows[1][place] / rows[0][place] for rows in found])))


if __name__ == "__main__":
    main(*sys.argv[1:])
