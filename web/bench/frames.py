"""frames.py PAGES PROGRAMS [SCENE [SIZE [PICTURES [ROUNDS]]]]: navier-stokes in a page (PAGES/navier-stokes.html) beside the desktop's program (PROGRAMS/navier-stokes) in a
window of the same size under Xvfb, both on Mesa's software renderer: pictures a second, and what a picture takes of the processors' time, all processes counted
(browser; program and X server). Medians over rounds in which both take turns.

Also how soon the page can be used, in a browser that has never seen it: from the beginning of the navigation to the answer to a key, which opens the help, and to the
first picture of the scene."""

import os
import pathlib
import statistics
import subprocess
import sys
import time

from run import processor_seconds

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "tests/web"))
from browser import Browser  # noqa: E402

SCREEN = (1280, 1024)
SHOWN = "Module.page.pictures"


def in_browser(page_path, scene, size, pictures):
    with Browser() as browser:
        page = browser.open(page_path.as_uri() + f"#scene={scene}&--size={size}&--steps-per-frame=1", 1100, 900)
        page.wait("document.readyState === 'complete' && window.Module && Module.page && Module.page.state", 200)
        page.key("h")
        page.wait("document.getElementById('help').open")
        answered = page.evaluate("performance.now()")
        page.key("Escape")
        page.wait("Module.page.first_picture", 200)
        first = page.evaluate("Module.page.first_picture")
        canvas = page.evaluate("[document.getElementById('picture').width, document.getElementById('picture').height]")
        page.wait(SHOWN + " > 30", 200)
        start, before, count = time.monotonic(), processor_seconds(browser.process.pid), page.evaluate(SHOWN)
        page.wait(f"{SHOWN} >= {count + pictures}", 500)
        shown = page.evaluate(SHOWN) - count
        return {"pictures": shown / (time.monotonic() - start), "processor": 1e3 * (processor_seconds(browser.process.pid) - before) / shown,
                "first": first / 1e3, "answer": answered / 1e3, "canvas": "x".join(map(str, canvas))}


def on_desktop(program, scene, size, pictures):
    read, write = os.pipe()
    server = subprocess.Popen(["Xvfb", "-displayfd", str(write), "-screen", "0", f"{SCREEN[0]}x{SCREEN[1]}x24", "-nolisten", "tcp"], pass_fds=[write],
                              stderr=subprocess.DEVNULL)
    display = os.read(read, 16).decode().strip()

    def run(count):
        before = os.times(), processor_seconds(server.pid)
        subprocess.run([program, "--scene", scene, "--size", size, "--steps-per-frame", "1", "--bench-window", str(count)], check=True, timeout=500,
                       env={**os.environ, "DISPLAY": ":" + display}, stdout=subprocess.DEVNULL)
        after = os.times(), processor_seconds(server.pid)
        spent = after[0].children_user + after[0].children_system - before[0].children_user - before[0].children_system
        return spent + after[1] - before[1], after[0].elapsed - before[0].elapsed

    try:
        few, many = run(30), run(30 + pictures)
    finally:
        server.terminate()
        server.wait()
    return {"pictures": pictures / (many[1] - few[1]), "processor": 1e3 * (many[0] - few[0]) / pictures}


def main(pages, programs, scene="smoke", size="160x200", pictures="300", rounds="3"):
    page, program = pathlib.Path(pages).resolve() / "navier-stokes.html", str(pathlib.Path(programs).resolve() / "navier-stokes")
    found = {"desktop": [], "browser": []}
    for _ in range(int(rounds)):
        found["desktop"].append(on_desktop(program, scene, size, int(pictures)))
        found["browser"].append(in_browser(page, scene, size, int(pictures)))
    print(f"{scene}, {size} cells, canvas {found['browser'][0]['canvas']}")
    for where, rows in found.items():
        median = {key: statistics.median(row[key] for row in rows) for key in rows[0] if key != "canvas"}
        print(f"  {where:8} {median['pictures']:6.1f} pictures a second, {median['processor']:6.1f} ms of processor time a picture"
              + (f"; first picture after {median['first']:.2f} s, a key answered after {median['answer']:.2f} s" if "first" in median else ""), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
