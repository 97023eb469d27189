"""limits.py PAGES: what a simulation's page says on a device that is too small for it: a sentence that names what is missing, and never a black page. Functions of
the browser are taken away or fail before the page begins. 77: there is no browser, or no page (make web)."""

import pathlib
import sys

from browser import Browser, chromium

SMALL = "scene=smoke&--size=80x100"
# A device of 16-bit targets; one without WebGL 2; one whose memory ends with large textures, or with the program's own.
WITHOUT_FLOATS = """(get => { WebGL2RenderingContext.prototype.getExtension = function (name) {
  return name === 'EXT_color_buffer_float' ? null : get.call(this, name); }; })(WebGL2RenderingContext.prototype.getExtension);"""
WITHOUT_WEBGL = """(get => { HTMLCanvasElement.prototype.getContext = function (kind, ...more) {
  return kind === 'webgl2' ? null : get.call(this, kind, ...more); }; })(HTMLCanvasElement.prototype.getContext);"""
SMALL_TEXTURES = """(p => { const image = p.texImage2D, ask = p.getError; let full = false;
  p.texImage2D = function (...a) { if (a[3] > 64) full = true; else image.apply(this, a); };
  p.getError = function () { const code = full ? this.OUT_OF_MEMORY : ask.call(this); full = false; return code; }; })(WebGL2RenderingContext.prototype);"""
SMALL_MEMORY = "WebAssembly.Memory.prototype.grow = () => { throw new RangeError('WebAssembly.Memory.grow(): Unable to grow instance memory'); };"
NO_MEMORY = """WebAssembly.instantiate = () => Promise.reject(new RangeError('WebAssembly.instantiate(): Out of memory: Cannot allocate Wasm memory for new instance'));"""
CASES = [("no 32-bit targets", WITHOUT_FLOATS, SMALL, ("32 bits", "EXT_color_buffer_float")), ("no WebGL 2", WITHOUT_WEBGL, SMALL, ("WebGL 2",)),
         ("small textures", SMALL_TEXTURES, SMALL, ("not enough memory", "128 x 96", "out of memory")),
         ("small memory", SMALL_MEMORY, "scene=smoke&--size=3000x3000", ("not enough memory", "128 x 96")),
         ("no memory at all", NO_MEMORY, SMALL, ("not enough memory", "128 x 96"))]
MESSAGE = "document.getElementById('message')"


def says(browser, path, name, script, setup, words):
    page = browser.open("about:blank", 900, 700)
    page.call("Page.addScriptToEvaluateOnNewDocument", source=script)
    page.call("Page.navigate", url=path.as_uri() + "#" + setup)
    page.wait(f"document.readyState === 'complete' && {MESSAGE} && !{MESSAGE}.hidden", 100)
    text, box = page.evaluate(f"{MESSAGE}.innerText"), page.evaluate(f"(b => [b.width, b.height])({MESSAGE}.getBoundingClientRect())")
    for word in words:
        if word not in text:
            raise RuntimeError(f"{path.name}, {name}: the page does not say '{word}' but: {text}")
    if min(box) < 200 or page.evaluate("!document.getElementById('wait').hidden"):
        raise RuntimeError(f"{path.name}, {name}: the message of {box} is not to be seen")
    if len(sys.argv) > 2:
        page.picture(f"{sys.argv[2]}/{path.stem}-{name.replace(' ', '-')}.png")
    page.close()


def main(pages):
    paths = [pathlib.Path(pages).resolve() / f"{name}.html" for name in ("navier-stokes", "lab")]
    if not chromium() or not all(path.exists() for path in paths):
        print("skipped: no Chromium, or no page (make web)")
        return 77
    with Browser() as browser:
        for case in CASES:
            says(browser, paths[0], *case)
        says(browser, paths[1], *CASES[0])
    print(f"{len(CASES) + 1} messages")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
