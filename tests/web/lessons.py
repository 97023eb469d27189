"""lessons.py PAGE [NUMBER...]: the lessons' page in a browser: each lesson (in the short form those of the numbers), and each exercise's solution, runs without an error; a change of a shader runs as it is typed, of the
program's own and of the library's; what a compiler refuses is said at its line; texels are read by pointing at them. 77: there is no browser, or no page (make web)."""

import json
import os
import pathlib
import re
import sys

from browser import SIZES, Browser, Page, chromium

SAYS = "document.getElementById('says').textContent"
DONE = f"document.readyState === 'complete' && /^It /.test({SAYS}) && document.querySelectorAll('#trace iframe').length === 1 && !document.querySelector('.next')"
PICTURES = "Promise.all([...document.querySelectorAll('#pictures img')].map(i => fetch(i.src).then(r => r.arrayBuffer()).then(b => btoa(String.fromCharCode(...new Uint8Array(b))))))"


def check(what, good):
    print(f"{'passed' if good else 'FAILED'}: {what}", flush=True)
    check.failures += not good


check.failures = 0


class Lessons:
    def __init__(self, browser, address):
        self.browser = browser
        self.page = browser.open(address + "#02_ping_pong", 1300, 900)
        self.evaluate, self.wait = self.page.evaluate, self.page.wait
        self.wait(DONE, 120)

    def type(self, was, becomes):
        """Changes the text in the editor as a user does; until it has run."""
        self.evaluate(f"""(e => {{ if (!e.value.includes({json.dumps(was)})) throw new Error('no such text: ' + e.value);
          e.value = e.value.replace({json.dumps(was)}, {json.dumps(becomes)}); e.dispatchEvent(new Event('input')); }})(document.getElementById('editor'))""")
        self.wait("document.getElementById('says').textContent.startsWith('Running')")
        self.wait(DONE, 120)
        return self.evaluate(SAYS)

    def choose(self, name):
        self.evaluate(f"(e => {{ e.value = {json.dumps(name)}; e.dispatchEvent(new Event('change')); }})(document.getElementById('file'))")

    def in_trace(self, expression):
        """What the tracer's page says, which is a frame of this one: a target of its own, since its address is a blob's."""
        frame = next(t for t in reversed(self.browser.call("Target.getTargets")["targetInfos"]) if t["type"] == "iframe" and t["url"].startswith("blob:"))
        session = self.browser.call("Target.attachToTarget", targetId=frame["targetId"], flatten=True)["sessionId"]
        return Page(self.browser, session).evaluate(expression)


def edits(lessons):
    """Lesson 2: heat that spreads, from its own shader."""
    before = lessons.evaluate(PICTURES)
    check("lesson 2 draws pictures", len(before) == 4)
    check("what is refused is said", "does not run" in lessons.type("k * (around", "k * (arund"))
    wrong = lessons.evaluate("document.getElementById('wrong').textContent")
    marked = lessons.evaluate("document.querySelector('#lines .bad')?.textContent.trim()")
    check(f"... at its line: {marked}: {wrong}", marked == "6" and "arund" in wrong and wrong.startswith("line 6"))
    seen = "(b => document.elementFromPoint(b.x + b.width / 2, b.y + b.height / 2).closest('#lines'))(document.querySelector('#lines .bad').getBoundingClientRect()) !== null"
    check("... which can be seen", lessons.evaluate(seen))
    check("what runs again is no longer wrong", lessons.type("k * (arund", "0.5 * k * (around").startswith("It ran"))
    check("... and the message has gone", lessons.evaluate("document.getElementById('wrong').hidden && !document.querySelector('#lines .bad')"))
    after = lessons.evaluate(PICTURES)
    check("half of the heat has gone as far", len(after) == 4 and before[0] == after[0] and before[2] != after[2])
    lessons.evaluate("document.getElementById('revert').click()")
    lessons.wait(f"{SAYS}.startsWith('Running')")
    lessons.wait(DONE, 120)
    check("as it was", lessons.evaluate(PICTURES) == before)


def points(lessons):
    """The texel under the pointer says what it holds."""
    canvas = "document.querySelector('#sources canvas')"
    lessons.in_trace(f"{canvas}.scrollIntoView({{block: 'center'}})")
    box = lessons.evaluate("(b => [b.x, b.y])(document.querySelector('#trace iframe').getBoundingClientRect())")
    place = lessons.in_trace(f"(b => [b.x + b.width / 2, b.y + b.height / 2])({canvas}.getBoundingClientRect())")
    for k in range(50):
        lessons.page.mouse("mouseMoved", box[0] + place[0] + k % 7, box[1] + place[1])
        said = lessons.in_trace("document.getElementById('texel').textContent")
        if "element" in said:
            break
    check(f"a texel under the pointer: {said[:60]}", re.search(r"texel \(\d+, \d+\).*element \d+", said))


def library(lessons):
    """Lesson 7: a shader of the library's is changed, and conjugate gradients do not converge with it."""
    lessons.choose("vector/add.frag")
    text = lessons.evaluate("document.getElementById('editor').value")
    check("a shader of the library's", "void main()" in text)
    said = lessons.type("void main() {", "void main() {\n  nonsense;")
    check(f"... that is refused: {said}", "does not run" in said)
    line = 1 + text[:text.index("void main() {")].count("\n") + 1
    check("... at its line", lessons.evaluate("document.querySelector('#lines .bad')?.textContent.trim()") == str(line))
    lessons.evaluate("document.getElementById('revert').click()")
    lessons.wait(f"{SAYS}.startsWith('Running')")
    lessons.wait(DONE, 120)
    check("... and is mended", lessons.evaluate(SAYS).startswith("It ran"))


def run(lessons, act, what):
    lessons.evaluate(act)
    lessons.wait(f"{SAYS}.startsWith('Running')")
    lessons.wait(DONE, 300)
    said = lessons.evaluate(f"{SAYS} + document.getElementById('wrong').textContent")
    check(f"{what}: {said}", said.startswith("It ran") and lessons.in_trace("document.querySelectorAll('figure').length") > 0)


def main(path, *short):
    file = pathlib.Path(path).resolve()
    if not file.exists() or not chromium():
        print(f"skipped: no {path} (make web), or no chromium")
        return 77
    with Browser() as browser:
        lessons = Lessons(browser, file.as_uri())
        edits(lessons)
        points(lessons)
        for folder, solved in lessons.evaluate("lessons.map(l => [l.folder, !!l.solution])"):
            if short and folder[:2] not in short and os.environ.get("TEXLA_TEST_LEVEL") != "long":
                continue
            run(lessons, f"location.hash = '{folder}'" if folder[:2] != "02" else "choose('02_ping_pong')", folder)
            if folder.startswith("07"):
                library(lessons)
            if solved:
                run(lessons, "document.getElementById('solution').click()", f"... its solution")
        found = lessons.page.misplaced(*SIZES)
        check(f"for fingers: {found}", not found)
        check(f"no errors: {lessons.page.errors}", not lessons.page.errors)
    return 1 if check.failures else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
