"""A headless Chromium for tests of pages: it is told through two pipes what to do (its DevTools protocol), so it needs no driver,
no port and no package beside Python's own.

    with Browser() as browser:
        page = browser.open("file:///tmp/a.html", 800, 600)
        page.evaluate("document.title")
"""
import base64
import json
import os
import queue
import shutil
import subprocess
import tempfile
import threading
import time

GRAPHICS = ["--use-gl=angle", "--use-angle=gl-egl", "--ignore-gpu-blocklist"]
WITHOUT_CARD = ["--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"]  # what a browser has on a machine without a driver

# What a finger or an eye stumbles over: a page wider than its window, controls beyond it, over each other, without a name, or smaller than a finger. A label that
# holds a control is its place; what stands in a scrolled part is not compared with what lies over that part.
MISPLACED = """(least => {
  const shown = e => e.checkVisibility({contentVisibilityAuto: true, visibilityProperty: true}), found = [];
  const all = [...document.querySelectorAll(':is(dialog[open], body:not(:has(dialog[open]))) :is(button, select, input, summary, textarea, a[href])')].filter(shown);
  const say = (e, what) => found.push((e.id || e.className || e.tagName) + ' ' + (e.title || e.textContent.slice(0, 20)).trim() + ': ' + what);
  const place = e => (e.matches('[type=checkbox], [type=file]') && e.labels[0] || e).getBoundingClientRect();
  const scrolls = e => { for (let p = e.parentElement; p; p = p.parentElement) if (p.scrollHeight > p.clientHeight && /auto|scroll/.test(getComputedStyle(p).overflowY)) return p; };
  if (document.documentElement.scrollWidth > innerWidth) found.push('the page is ' + document.documentElement.scrollWidth + ' pixels wide');
  all.forEach((e, k) => {
    const a = place(e), name = e.getAttribute('aria-label') || e.title || e.textContent.trim() || e.labels?.[0]?.textContent;
    if (!name) say(e, 'has no name');
    if (a.left < -1 || a.right > innerWidth + 1) say(e, `from ${a.left} to ${a.right}`);
    if (Math.min(a.width, a.height) < least) say(e, `${a.width} x ${a.height}`);
    for (const other of all.slice(k + 1)) {
      const b = place(other), wide = Math.min(a.right, b.right) - Math.max(a.left, b.left), high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
      if (wide > 1 && high > 1 && scrolls(e) === scrolls(other) && !e.contains(other)) say(e, 'is over ' + (other.id || other.title));
    }
  });
  return found;
})"""
FINGER = 40  # pixels
SIZES = {"phone": (390, 844, 3), "on its side": (844, 390, 3), "tablet": (820, 1180, 2)}


def chromium():
    """Its path, or None."""
    names = ("chromium", "chromium-browser", "google-chrome")
    return next((path for path in map(shutil.which, names) if path), None)


class Page:
    """What happens on it is kept: `errors` are exceptions and lines of console.error."""

    def __init__(self, browser, session):
        self.browser, self.session, self.errors, self.lines = browser, session, [], []

    def call(self, method, **parameters):
        return self.browser.call(method, self.session, **parameters)

    def evaluate(self, expression):
        """Its value; a promise is waited for."""
        answer = self.call("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(f"{expression}: {answer['exceptionDetails']['exception'].get('description', answer)}")
        return answer["result"].get("value")

    def wait(self, expression, seconds=60):
        """Until it is true."""
        end = time.monotonic() + seconds
        while not self.evaluate(expression):
            if time.monotonic() > end:
                raise TimeoutError(f"{expression} has not become true within {seconds} s; {self.errors} {self.lines[-10:]}")
            time.sleep(0.05)

    def misplaced(self, *sizes):
        """What is wrong for fingers on screens of these sizes (SIZES)."""
        self.call("Emulation.setTouchEmulationEnabled", enabled=True, maxTouchPoints=5)
        found = []
        for size in sizes:
            width, height, density = SIZES[size]
            self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=density, mobile=True)
            self.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
            found += [f"{size}: {what}" for what in self.evaluate(f"{MISPLACED}({FINGER})")]
        return found

    def mouse(self, kind, x, y, **more):
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    def drag(self, *places):
        """With the left button."""
        self.mouse("mouseMoved", *places[0])
        self.mouse("mousePressed", *places[0], button="left", buttons=1, clickCount=1)
        for x, y in places[1:]:
            self.mouse("mouseMoved", x, y, button="left", buttons=1)
        self.mouse("mouseReleased", *places[-1], button="left", clickCount=1)

    def touch(self, kind, *places):
        """touchStart, touchMove or touchEnd, with all fingers that are down."""
        points = [{"x": x, "y": y, "id": k} for k, (x, y) in enumerate(places)]
        self.call("Input.dispatchTouchEvent", type=kind, touchPoints=points)

    def key(self, key, **more):
        text = {"text": key} if len(key) == 1 else {"text": "\r"} if key == "Enter" else {}
        self.call("Input.dispatchKeyEvent", type="keyDown", key=key, **text, **more)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key, **more)

    def picture(self, path):
        with open(path, "wb") as file:
            file.write(base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"]))

    def close(self):
        self.browser.call("Target.closeTarget", targetId=self.target)


class Browser:
    patience = 120  # seconds that an answer may take

    def __init__(self, graphics=GRAPHICS):
        self.graphics = graphics

    def __enter__(self):
        self.folder = tempfile.mkdtemp()
        to_read, self.to = os.pipe()
        self.back, back_write = os.pipe()
        arguments = [chromium(), "--headless", "--no-sandbox", "--remote-debugging-pipe", "--no-first-run", f"--user-data-dir={self.folder}",
                     "--disable-background-timer-throttling", "--autoplay-policy=no-user-gesture-required", *self.graphics]

        def pipes():
            """Chromium reads from 3 and writes to 4."""
            a, b = os.dup(to_read), os.dup(back_write)
            os.dup2(a, 3)
            os.dup2(b, 4)

        self.process = subprocess.Popen(arguments, preexec_fn=pipes, close_fds=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_read)
        os.close(back_write)
        self.number, self.answers, self.pages = 0, queue.Queue(), {}
        threading.Thread(target=self._listen, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _listen(self):
        rest = b""
        while chunk := os.read(self.back, 1 << 16):
            *whole, rest = (rest + chunk).split(b"\0")
            for text in whole:
                self._take(json.loads(text))
        self.answers.put(None)  # the browser has ended

    def _take(self, message):
        page = self.pages.get(message.get("sessionId"))
        parameters = message.get("params", {})
        if "id" in message:
            self.answers.put(message)
        elif page and message["method"] == "Runtime.exceptionThrown":
            details = parameters["exceptionDetails"]
            page.errors.append(details.get("exception", {}).get("description", details["text"]))
        elif page and message["method"] == "Runtime.consoleAPICalled":
            line = " ".join(str(a.get("value", a.get("description", ""))) for a in parameters["args"])
            (page.errors if parameters["type"] == "error" else page.lines).append(line)
        elif page and message["method"] == "Log.entryAdded" and parameters["entry"]["level"] == "error":
            page.errors.append(parameters["entry"]["text"])

    def call(self, method, session=None, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        os.write(self.to, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.answers.get(timeout=self.patience)
            if not answer:
                self.answers.put(None)
                raise RuntimeError(f"{method}: the browser has ended")
            if answer["id"] == self.number:
                break
        if "error" in answer:
            raise RuntimeError(f"{method}: {answer['error']}")
        return answer["result"]

    def open(self, address, width, height, density=1, touch=False, features=()):
        """A page of that size; `features` are pairs such as ("prefers-color-scheme", "dark")."""
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        page = self.pages[session] = Page(self, session)
        page.target = target
        for domain in ("Runtime", "Page", "Log"):
            page.call(domain + ".enable")
        page.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=density, mobile=touch)
        if touch:
            page.call("Emulation.setTouchEmulationEnabled", enabled=True, maxTouchPoints=5)
        if features:
            page.call("Emulation.setEmulatedMedia", features=[{"name": name, "value": value} for name, value in features])
        page.call("Page.navigate", url=address)
        return page
