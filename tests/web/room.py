"""room.py PROGRAM NAME[:CASE]...: tests of a room (tests/ROOM/test_NAME.c), or one of their cases, compiled to WebAssembly, each in a page of its
own. Says for each whether it passes, and all that the ones say that do not. 77: there is no browser, or no program (make web)."""

import json
import pathlib
import queue
import sys
import time

from browser import Browser, chromium

HERE = pathlib.Path(__file__).resolve().parent
TUNING = (HERE.parent / "tuning.txt").read_text()


def run(browser, program, name):
    """One test: what it said, and what is wrong, or None."""
    page = browser.open((HERE / "room.html").as_uri(), 400, 300)
    try:
        page.wait("typeof run == 'function'")
        status = page.evaluate(f"run({json.dumps(program.as_uri())}, {json.dumps(name.split(':'))}, {json.dumps(TUNING)})")
        wrong = f"exit status {status}" if status else None
        page.close()
    except (RuntimeError, TimeoutError) as failure:
        wrong = str(failure)
    except queue.Empty:
        wrong = f"no answer within {browser.patience} s"
    return page.lines + page.errors, wrong


def run_all(program, names):
    """As many as one browser can: a page that hangs goes with it. How many were run, and how many failed."""
    failures = 0
    with Browser() as browser:
        browser.patience = 1800  # a test's, on a busy machine; CTest has a limit of its own
        for count, name in enumerate(names, 1):
            start = time.monotonic()
            said, wrong = run(browser, program, name)
            print(f"{'FAILED' if wrong else 'passed'}: {name} ({time.monotonic() - start:.1f} s)", flush=True)
            if wrong:
                failures += 1
                print("\n".join("  " + line for line in [*said, wrong]), flush=True)
            if wrong and "no answer" in wrong:
                break
    return count, failures


def main(path, *names):
    program, failures = pathlib.Path(path).resolve(), 0
    if not program.exists() or not chromium():
        print(f"skipped: no {path} (make web), or no chromium")
        return 77
    while names:
        count, failed = run_all(program, names)
        failures += failed
        names = names[count:]
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
