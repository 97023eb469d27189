"""solver.py PAGE: the solver page in a browser does what its user asks: a generated matrix and a file of one's own, a report like that of the program
`texla`, curves, pictures, files to download, a run that is stopped, the page of passes. 77: there is no browser, or no page (make web)."""

import json
import pathlib
import sys
import time

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

HEAD = "%%MatrixMarket matrix coordinate real general\n"
FILES = {"mine.mtx": HEAD + "3 3 5\n1 1 4\n2 2 5\n3 3 6\n1 3 1\n2 1 -1\n", "letter.mtx": "Dear reader,\n", "empty.mtx": "", "wide.mtx": HEAD + "2 3 2\n1 1 4\n2 3 1\n",
         "large.mtx": HEAD + "2000000000 2000000000 1\n1 1 4\n"}
WRONG = {"letter.mtx": "letter.mtx:1: not a Matrix Market file", "empty.mtx": "empty.mtx: the file is empty", "wide.mtx": "wide.mtx is 2 x 3", "large.mtx": "most of its rows are zero"}


def choose(page, **values):
    for name, value in values.items():
        page.evaluate(f"(e => {{ e.value = {json.dumps(value)}; e.dispatchEvent(new Event('change')); }})(document.getElementById('{name}'))")


def solve(page, button="solve"):
    page.evaluate(f"document.getElementById('{button}').click()")
    page.wait("!document.getElementById('solve').disabled", 120)
    return page.evaluate(SAYS)


def drop(page, path):
    """A file from elsewhere is drawn over the page and let fall."""
    data = {"items": [], "files": [str(path)], "dragOperationsMask": 1}
    for kind in ("dragEnter", "dragOver", "drop"):
        page.call("Input.dispatchDragEvent", type=kind, x=500, y=400, data=data)


def downloads(browser, page, folder):
    """What the links give, as the user has it then: A was MINE, and b = A (1, 1, 1)."""
    browser.call("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(folder / "given"))
    given = {}
    for place in page.evaluate("[...document.querySelectorAll('#files a')].map(a => (b => [b.x + b.width / 2, b.y + b.height / 2])(a.getBoundingClientRect()))"):
        page.drag(place)
        for _ in range(100):
            whole = [f for f in (folder / "given").glob("*") if f.suffix != ".crdownload" and f.name not in given and f.stat().st_size]
            if whole:
                given[whole[0].name] = whole[0].read_text()
                break
            time.sleep(0.05)
    check(f"files that are downloaded: {list(given)}", list(given) == ["x.mtx", "h.csv", "report.json", "A.mtx"])
    report, x = json.loads(given["report.json"]), [float(word) for word in given["x.mtx"].split()[-3:]]
    check(f"the solution: {x}", len(x) == 3 and all(abs(v - 1) < 1e-5 for v in x))
    check("the matrix is the one that was given", given["A.mtx"] == FILES["mine.mtx"])
    check("the report is the one that is shown", given["report.json"] == page.evaluate("document.getElementById('report').textContent"))
    check("a line for each iteration", len(given["h.csv"].split()) == report["iterations"] + 2)


def wrong_files(page, folder):
    """Chosen by the button: what is no matrix to solve with is refused with its name and the reason, and a folder cannot be read."""
    for name, reason in WRONG.items():
        document = page.call("DOM.getDocument")["root"]["nodeId"]
        field = page.call("DOM.querySelector", nodeId=document, selector="#file")["nodeId"]
        page.call("DOM.setFileInputFiles", nodeId=field, files=[str(folder / name)])
        page.wait(f"{SAYS}.startsWith({json.dumps(name)})")
        said = solve(page)
        check(f"{name}: {said.strip()}", reason in said and page.evaluate("document.getElementById('says').matches('.bad')"))
    drop(page, folder)
    page.wait(f"{SAYS}.includes('cannot be read')")


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
        # A file of one's own, dropped, which is not symmetric, and a solver that refuses it.
        folder = pathlib.Path(browser.folder)
        for name, text in FILES.items():
            (folder / name).write_text(text)
        drop(page, folder / "mine.mtx")
        page.wait(f"{SAYS}.startsWith('mine.mtx')")
        choose(page, solver="cg")
        check("what is refused is said", "symmetric" in solve(page))
        choose(page, solver="bicgstab", precond="none")
        check("a file of one's own", solve(page).startswith("Converged"))
        downloads(browser, page, folder)
        wrong_files(page, folder)
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
