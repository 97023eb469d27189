"""solver.py PAGE: the solver page in a browser does what its user asks: a generated matrix and a file of one's own, a report like that of the program
`texla`, curves, pictures, files to download, a run that is stopped, the page of passes. 77: there is no browser, or no page (make web)."""

import json
import pathlib
import sys

from browser import SIZES, Browser, chromium


def check(what, good):
    if not good:
        print(f"FAILED: {what}")
        check.failures += 1
    else:
        print(f"passed: {what}")


check.failures = 0
SAYS = "document.getElementById('says').textContent"
INK = """(id => { const c = document.getElementById(id), d = c.getContext('2d').getImageData(0, 0, c.width, c.height).data;
          return d.filter((v, k) => k % 4 === 3 && v > 0).length; })"""


def choose(page, **values):
    for name, value in values.items():
        page.evaluate(f"(e => {{ e.value = {json.dumps(value)}; e.dispatchEvent(new Event('change')); }})(document.getElementById('{name}'))")


def solve(page, button="solve"):
    page.evaluate(f"document.getElementById('{button}').click()")
    page.wait("!document.getElementById('solve').disabled", 120)
    return page.evaluate(SAYS)


def main(path):
    file = pathlib.Path(path).resolve()
    if not file.exists() or not chromium():
        print(f"skipped: no {path} (make web), or no chromium")
        return 77
    with Browser() as browser:
        page = browser.open(file.as_uri(), 1100, 900)
        page.wait("document.readyState === 'complete'")
        choose(page, generated="poisson2d", size="24", solver="cg", precond="jacobi")
        said = solve(page)
        check(f"a generated matrix: {said}", said.startswith("Converged"))
        report = json.loads(page.evaluate("document.getElementById('report').textContent"))
        check("the report is the program's", report["rows"] == 576 and report["solver"] == "cg" and report["precond"] == "jacobi" and report["error"] < 1e-4)
        check("the curve is drawn", page.evaluate(f"{INK}('curve')") > 500 and page.evaluate("curve.length") == report["iterations"] + 1)
        check("the entries are drawn", page.evaluate(f"{INK}('pattern')") > 500)
        caption = page.evaluate("document.getElementById('caption').textContent")
        check(f"the entries are counted: {caption}", "576 × 576, 2784 entries" in caption)
        links = page.evaluate("[...document.querySelectorAll('#files a')].map(a => a.download)")
        solution = page.evaluate("fetch(document.querySelector('#files a[download=\"x.mtx\"]').href).then(r => r.text())")
        check("the solution, and other files", links == ["x.mtx", "h.csv", "report.json", "A.mtx"] and len(solution.split()) > 576)
        # A file of one's own, which is not symmetric, and a solver that refuses it.
        lines = ["%%MatrixMarket matrix coordinate real general", "3 3 5", "1 1 4", "2 2 5", "3 3 6", "1 3 1", "2 1 -1"]
        page.evaluate(f"choose(new File([{json.dumps(chr(10).join(lines))}], 'mine.mtx'))")
        page.wait(f"{SAYS}.startsWith('mine.mtx')")
        choose(page, solver="cg")
        check("what is refused is said", "symmetric" in solve(page))
        choose(page, solver="bicgstab", precond="none")
        check("a file of one's own", solve(page).startswith("Converged"))
        # A run that takes long is stopped, and the next one goes on as if nothing had been.
        choose(page, generated="poisson2d", size="1000", solver="cg", precond="none")
        page.evaluate("document.getElementById('solve').click()")
        page.wait(f"{SAYS}.startsWith('Solving') || {SAYS}.startsWith('Iteration')", 120)
        page.evaluate("document.getElementById('stop').click()")
        check("stopped", page.evaluate(SAYS) == "Stopped." and not page.evaluate("document.getElementById('solve').disabled"))
        choose(page, size="6", tolerance="1e-5")
        check("after that", solve(page).startswith("Converged"))
        page.evaluate("window.open = () => (window.tab = {close() {}})")
        check("solved with a trace", solve(page, "trace").startswith("Converged"))
        trace = page.evaluate("window.tab.location ? fetch(window.tab.location).then(r => r.text()) : ''")
        check(f"the page of passes ({len(trace)} bytes)", "clSystem solve" in trace and '["iteration",0]' in trace.replace(" ", ""))
        found = page.misplaced(*SIZES)
        check(f"for fingers: {found}", not found)
        page.wait("(c => c.width === Math.floor(c.clientWidth * devicePixelRatio))(document.getElementById('curve'))")
        check(f"no errors: {page.errors}", not page.errors)
    return 1 if check.failures else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
