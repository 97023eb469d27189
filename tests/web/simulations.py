"""simulations.py PAGES PROGRAMS: the pages of the simulations (build/web/NAME.html) in Chromium, beside the desktop's programs (build/bin/NAME).
Each opens without an error, steps, and hears mouse, fingers and keys; its picture is the desktop's. 77: there is no browser, or no page (make web).

It prints how large each page is and when its first picture stands, and asserts neither."""

import base64
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

from browser import SIZES, WITHOUT_CARD, Browser, chromium

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "web"))
from pictures import read_png  # noqa: E402 (what draws the menus' pictures reads them)

# A scene of each whose colours do not depend on pictures before, and when it ends.
PROGRAMS = {"wave": ("double-slit", 0.02), "navier-stokes": ("smoke", 0.03), "shallow-water": ("basin", 0.5), "lab": ("gray-scott", 8)}
# Pictures of this size have a pixel for a cell: of coarser grids a software renderer, which a browser does not tell of, paints half of them.
SIZE, FINE = "120x80", "496x330"
FILM = 2, 30  # seconds, pictures: at least
BEGAN = "window.Module && Module.page && (Module.page.first_picture || !document.getElementById('message').hidden)"
PAUSED = "Module.page.state.buttons.some(b => b.key === 32 && b.help === 'go on')"


def largest_difference(one, other):
    """Of two pictures, between the texts above and the plots below and to the left of the colour bar, since a page writes in a font of its own: the
    largest, and the share of bytes that differ by more than 2."""
    (a, width), (b, width_b) = read_png(one), read_png(other)
    height, height_b = len(a), len(b)
    rows = range(height // 10, 6 * height // 10)
    if height != height_b:
        raise RuntimeError(f"pictures of {width} x {height} and of {width_b} x {height_b}")
    least = 3 * int(0.8 * min(width, width_b))
    differences = [abs(p - q) for y in rows for p, q in zip(a[y][:least], b[y][:least])]
    return max(differences), sum(d > 2 for d in differences) / len(differences)


class Simulation:
    """A page of one, in a browser."""

    def __init__(self, browser, path, setup, **more):
        """With that setup in its address; until its first picture, or a message, stands."""
        self.page = browser.open("about:blank", 900, 700, **more)
        self.path, self.call, self.key, self.evaluate, self.wait = path, self.page.call, self.page.key, self.page.evaluate, self.page.wait
        self.open(setup)

    def open(self, setup):
        self.call("Page.navigate", url="about:blank")
        self.wait("location.href === 'about:blank'")
        self.call("Page.navigate", url=self.path.as_uri() + "#" + setup)
        self.wait("document.readyState === 'complete' && " + BEGAN, 200)

    def pause(self):
        self.evaluate("document.activeElement.blur()")
        self.key(" ")
        self.wait(PAUSED)

    def stage(self):
        """What the middle of the canvas shows."""
        box = self.evaluate("(b => [b.x, b.y, b.width, b.height])(document.getElementById('picture').getBoundingClientRect())")
        clip = {"x": box[0] + 0.1 * box[2], "y": box[1] + 0.15 * box[3], "width": 0.6 * box[2], "height": 0.7 * box[3], "scale": 1}
        return self.call("Page.captureScreenshot", format="png", clip=clip)["data"]

    def middle(self):
        return self.evaluate("(b => [b.x + 0.4 * b.width, b.y + 0.5 * b.height])(document.getElementById('picture').getBoundingClientRect())")

    def changes(self, act, what):
        """The picture of a simulation that pauses becomes another one by an act of the user's."""
        before = self.stage()
        act()
        for _ in range(60):
            if self.stage() != before:
                return
        raise RuntimeError(f"{what}: the picture stays as it is")

    def given(self):
        """The bytes of the file that the page saved last."""
        return base64.b64decode(self.evaluate("""new Promise(done => { const r = new FileReader(); r.onload = () => done(r.result.split(',')[1]);
          r.readAsDataURL(Module.page.given.blob); })"""))

    def item(self, name):
        return self.evaluate(f"Module.page.state.items.find(i => i.name === {json.dumps(name)})")


def steps(page):
    """It goes on by itself."""
    time = "Number(/time ([0-9.e-]+)/.exec(document.getElementById('below').textContent)?.[1] || 0)"
    page.wait(f"{time} > 0")
    before = page.evaluate(time)
    page.wait(f"{time} > {before}")


COUNT_WAITS = """self.waits = 0; for (const name of ['getBufferSubData', 'checkFramebufferStatus', 'getError', 'getParameter', 'finish']) {
  const call = WebGL2RenderingContext.prototype[name];
  WebGL2RenderingContext.prototype[name] = function (...a) { waits++; return call.apply(this, a); };
}"""


def seldom_waits(page):
    """What waits for the browser's graphics process, which takes as long as a picture, is asked once a step at most."""
    step, steps = "Number(/step ([0-9]+)/.exec(document.getElementById('below').textContent)?.[1] || 0)", 60
    page.wait(f"{step} > 20")
    page.evaluate(COUNT_WAITS)
    page.wait(f"(self.from = {step}) > {page.evaluate(step)}")
    before = page.evaluate("waits")
    page.wait(f"{step} >= self.from + {steps}", 120)
    waits = page.evaluate("waits") - before
    if not 0 < waits < 1.2 * steps:
        raise RuntimeError(f"{waits} times within {steps} steps the page has waited for the graphics process")


def touch(page, x, y):
    """Three fingers at once are three pointers; two would be a pinch."""
    for k in range(4):
        page.page.touch("touchMove" if k else "touchStart", (x + 14 * k, y - 40), (x - 14 * k, y), (x + 14 * k, y + 40))
    page.page.touch("touchEnd")


def pinch(page, x, y):
    """Two fingers that part make the brush larger."""
    brush = page.evaluate("Module.page.state.brush")
    for k in range(5):
        page.page.touch("touchMove" if k else "touchStart", (x - 20 - 8 * k, y), (x + 20 + 8 * k, y))
    page.page.touch("touchEnd")
    page.wait(f"Module.page.state.brush > {brush * 1.2}")


def drag_by_keys(page):
    page.call("Input.dispatchKeyEvent", type="keyDown", key="Enter", text="\r")
    for _ in range(3):
        page.key("ArrowUp")
    page.call("Input.dispatchKeyEvent", type="keyUp", key="Enter")


def reacts(page):
    page.pause()
    x, y = page.middle()
    page.changes(lambda: page.page.drag(*((x + 12 * k, y + 6 * k) for k in range(5))), "the mouse")
    page.call("Emulation.setTouchEmulationEnabled", enabled=True, maxTouchPoints=5)
    page.changes(lambda: touch(page, x, y), "three fingers")
    pinch(page, x, y)
    page.call("Emulation.setTouchEmulationEnabled", enabled=False)
    brush = page.evaluate("Module.page.state.brush")
    # by far more than what of the pinch has not been told yet
    page.page.mouse("mouseWheel", x, y, deltaX=0, deltaY=2400)
    page.wait(f"Module.page.state.brush < {brush}")
    page.evaluate("document.getElementById('picture').focus()")
    page.changes(lambda: drag_by_keys(page), "the keyboard")


def picture(page, program, scene, end):
    """What key S saves when the simulation has come to its end, beside the desktop's picture of that time."""
    page.open(f"scene={scene}&--time={end}&--steps-per-frame=2&--size={FINE}")
    page.wait("/the end/.test(document.getElementById('above').textContent)", 120)
    page.evaluate("Module.page.given = null; document.activeElement.blur()")
    page.key("s")
    page.wait("Module.page.given")
    ours = page.given()
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([program, "--scene", scene, "--headless", "--quiet", f"--time={end}", "--steps-per-frame=2", f"--size={FINE}",
                        "--out", folder], check=True, timeout=120)
        theirs = sorted(pathlib.Path(folder).glob("*.png"))[-1].read_bytes()
    largest, share = largest_difference(ours, theirs)
    if share > 0.002:
        raise RuntimeError(f"the picture differs from the desktop's: by {largest} at most, {100 * share:.2f} % of it by more than 2")
    return largest


def copies_link(page):
    """What key Y puts into the clipboard shows the same where it is opened."""
    page.page.browser.call("Browser.grantPermissions", permissions=["clipboardReadWrite", "clipboardSanitizedWrite"])
    page.evaluate("document.activeElement.blur()")
    page.key("y")
    page.wait("navigator.clipboard.readText().then(text => text.startsWith(location.href.split('#')[0]) && text.includes('F=0.05'))")
    page.open(page.evaluate("navigator.clipboard.readText()").split("#")[1])
    if abs(page.item("F")["value"] - 0.05) > 1e-6:
        raise RuntimeError("the link that was copied has not set F")


def types_equations(page):
    """lab alone: a slider, the address, an equation, and what is wrong at its column."""
    page.open("scene=gray-scott&F=0.035")
    if abs(page.item("F")["value"] - 0.035) > 1e-6:
        raise RuntimeError("the address did not set F")
    place = page.evaluate("Module.page.state.items.findIndex(i => i.name === 'F')")
    page.evaluate(f"""(e => {{ e.value = 0.05; e.dispatchEvent(new Event('change')); }})(document.getElementById('item{place}'))""")
    page.wait("location.hash.includes('F=0.05')")
    copies_link(page)
    type_in = """((row, text) => { const e = document.getElementById('line' + row); e.focus(); e.value = text; e.dispatchEvent(new Event('input')); })"""
    page.evaluate(type_in + "(1, '0.2 * lap(u) + zz * (')")
    page.wait("document.querySelector('.line.wrong .error b')?.textContent.trim() === '^'")
    column = page.evaluate("document.querySelector('.line.wrong .error b').textContent.indexOf('^')")
    if column < 14:
        raise RuntimeError(f"the error stands at column {column}")
    page.call("Emulation.setTouchEmulationEnabled", enabled=True, maxTouchPoints=5)
    fonts = page.evaluate("['.line.wrong input', '.line.wrong .error b'].map(e => (s => s.fontFamily + s.fontSize)(getComputedStyle(document.querySelector(e))))")
    page.call("Emulation.setTouchEmulationEnabled", enabled=False)
    if fonts[0] != fonts[1]:
        raise RuntimeError(f"the mark below an equation is set in {fonts[1]}, the equation in {fonts[0]}")
    page.evaluate(type_in + "(1, '0.2 * lap(u) + own - own * u')")
    page.wait("Module.page.state.items.some(i => i.name === 'own')")


def shares(page):
    """An obstacle that is drawn is in the address, which draws it again."""
    page.open("scene=cavity")
    page.pause()
    x, y = page.middle()
    for kind, right in (("mousePressed", 0), ("mouseMoved", 30), ("mouseReleased", 30)):
        page.call("Input.dispatchMouseEvent", type=kind, x=x + right, y=y, button="right", buttons=2, clickCount=1)
        page.evaluate("new Promise(done => setTimeout(done, 100))")
    page.wait("decodeURIComponent(location.hash).includes('draw ')")
    page.open(page.evaluate("location.hash.slice(1)"))
    page.wait("Module.page.state && Module.page.state.text.includes('draw ')")


def saves_films(page):
    """What was recorded for some time has frames for about so long."""
    page.evaluate("document.activeElement.blur(); Module.page.given = null")
    page.key("v")
    page.wait("!!document.querySelector('.recording')")
    page.evaluate("self.began = [performance.now(), Module.page.pictures]")
    page.wait(f"performance.now() - began[0] > {1000 * FILM[0]} && Module.page.pictures - began[1] > {FILM[1]}", 120)
    recorded, pictures = page.evaluate("[(performance.now() - began[0]) / 1000, Module.page.pictures - began[1]]")
    page.key("v")
    page.wait("Module.page.given && /webm|mp4/.test(Module.page.given.name)")
    if not shutil.which("ffprobe"):
        return print("skipped: what a film holds, no ffprobe (package ffmpeg)")
    with tempfile.NamedTemporaryFile() as file:
        file.write(page.given())
        file.flush()
        times = subprocess.run(["ffprobe", "-v", "error", "-select_streams", "v", "-show_entries", "packet=pts_time", "-of", "csv=p=0", file.name],
                               check=True, capture_output=True, text=True, timeout=60).stdout.replace(",", " ").split()
        subprocess.run(["ffmpeg", "-v", "error", "-xerror", "-i", file.name, "-f", "null", "-"], check=True, timeout=120)
    seconds = float(times[-1]) - float(times[0]) if times else 0
    film = f"a film of {pictures} pictures in {recorded:.2f} s has {len(times)} frames in {seconds:.2f} s"
    if len(times) < 2 or not 0.4 * recorded < seconds < 3 * recorded:
        raise RuntimeError(film)
    print(film)


def explains(page):
    """What cannot go on says so: a lost context, an unknown scene, a device without float targets."""
    page.evaluate("document.getElementById('picture').getContext('webgl2').getExtension('WEBGL_lose_context').loseContext()")
    page.wait("/taken away/.test(document.getElementById('message').textContent)")
    page.open("scene=nonsense")
    page.wait("/nonsense/.test(document.getElementById('message').textContent)")
    lacking = """const get = WebGL2RenderingContext.prototype.getExtension;
      WebGL2RenderingContext.prototype.getExtension = function (name) { return name === 'EXT_color_buffer_float' ? null : get.call(this, name); };"""
    script = page.call("Page.addScriptToEvaluateOnNewDocument", source=lacking)["identifier"]
    page.open("")
    page.call("Page.removeScriptToEvaluateOnNewDocument", identifier=script)
    page.wait("/EXT_color_buffer_float/.test(document.getElementById('message').textContent)")


def is_for_fingers(browser, path):
    """On a phone and a tablet nothing lies over another or beyond the edge, with the panel and without; a dialog can be closed, the buttons that were hidden come back."""
    page = Simulation(browser, path, "")
    for panel in ("true", "false"):
        page.evaluate(f"if (document.getElementById('panel').hidden === {panel}) document.getElementById('panel-button').click()")
        page.evaluate("document.querySelectorAll('details').forEach(d => { d.open = true; })")
        if found := page.page.misplaced(*SIZES):
            raise RuntimeError(f"panel {panel}: " + "; ".join(found))
    page.evaluate("document.getElementById('scenes').click()")
    if found := page.page.misplaced("phone"):
        raise RuntimeError("scenes: " + "; ".join(found))
    page.evaluate("document.querySelector('#gallery form button').click()")
    page.wait("!document.getElementById('gallery').open")
    page.evaluate("document.querySelector('[data-key=\"9\"]').click()")
    page.wait("document.getElementById('scenes').getBoundingClientRect().width === 0")
    page.evaluate("document.getElementById('panel-button').click()")
    page.wait("document.getElementById('scenes').getBoundingClientRect().width > 0")
    page.page.close()


def keeps_still(browser, path):
    """Who asked for less motion finds it paused."""
    page = Simulation(browser, path, "", features=[("prefers-reduced-motion", "reduce")])
    page.wait(PAUSED)
    page.page.close()


def runs_without_a_card(path):
    """On SwiftShader, whose linker keeps uniforms that Mesa's drops."""
    with Browser(WITHOUT_CARD) as browser:
        page = Simulation(browser, path, f"scene=smoke&--size={SIZE}")
        if said := page.evaluate("document.getElementById('message').innerText"):
            raise RuntimeError("without a graphics card: " + said)
        steps(page)


def check(browser, path, program):
    """A row of the table. The page is closed then: one that runs on would take the others' time."""
    page = Simulation(browser, path, f"scene={PROGRAMS[path.stem][0]}&--size={SIZE}")
    try:
        return check_page(browser, page, program)
    finally:
        page.page.close()


def check_page(browser, page, program):
    path, name = page.path, page.path.stem
    scene, end = PROGRAMS[name]
    first = page.evaluate("Module.page.first_picture") / 1000
    steps(page)
    if name == "navier-stokes":
        seldom_waits(page)
    reacts(page)
    largest = picture(page, program, scene, end)
    if name == "navier-stokes":
        shares(page)
        runs_without_a_card(path)
    if name == "lab":
        types_equations(page)
        saves_films(page)
    if page.page.errors:
        raise RuntimeError("errors: " + "; ".join(page.page.errors))
    if name in ("wave", "lab"):
        is_for_fingers(browser, path)
    if name == "wave":
        keeps_still(browser, path)
        explains(page)
    return f"| {name} | {path.stat().st_size / 1e6:.2f} MB | {first:.2f} s | {largest} |"


def main(pages, programs, *names):
    pages, failures, table = pathlib.Path(pages).resolve(), 0, []
    if not all((pages / f"{name}.html").exists() for name in names or PROGRAMS) or not chromium():
        print(f"skipped: no pages in {pages} (make web), or no chromium")
        return 77
    with Browser() as browser:
        for name in names or PROGRAMS:
            try:
                table.append(check(browser, pages / f"{name}.html", str(pathlib.Path(programs) / name)))
            except (RuntimeError, TimeoutError) as failure:
                failures += 1
                print(f"FAILED: {name}: {failure}")
    print("| page | size | first picture | largest difference of a byte |\n|---|---|---|---|\n" + "\n".join(table))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
