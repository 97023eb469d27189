"""width.py FOLDER: pages of the site that a browser has to scroll sideways where the window is 400 pixels wide, one a line. Code, tables and
formulas may be wider: they scroll by themselves. Programs within pages are not started: the browser's clock, which runs ahead, would wait for them."""

import json
import pathlib
import subprocess
import sys

root, width = pathlib.Path(sys.argv[1]).resolve(), 400
pages = [path.relative_to(root).as_posix() for path in sorted(root.rglob("*.html")) if not {"reference", "trace", "live.html"} & set(path.parts)]
copies = [(root / name).with_suffix(".still.html") for name in pages]
for name, copy in zip(pages, copies):
    copy.write_text((root / name).read_text().replace("<iframe ", "<iframe srcdoc "))
page = root / "width.html"
page.write_text("""<!DOCTYPE html><body><script>
const pages = %s, width = %d, said = [];
const wide = page => [...page.querySelectorAll("body *")].find(e => e.getBoundingClientRect().right > width + 1 && !e.closest("pre, .table, math, svg"));
for (const name of pages) {
  const frame = document.createElement("iframe");
  frame.style = `width: ${width}px; height: 900px; border: 0`;
  frame.onload = () => {
    const page = frame.contentDocument, needs = page.documentElement.scrollWidth, text = wide(page)?.textContent.trim().slice(0, 60);
    said.push(needs > width ? `${name} is ${needs} pixels wide: ${text}` : "fits");
    if (said.length === pages.length) document.body.textContent = said.filter(line => line !== "fits").concat("all " + pages.length).join("\\n");
  };
  frame.src = name;
  document.body.append(frame);
}
</script>""" % (json.dumps([copy.relative_to(root).as_posix() for copy in copies]), width))
done = subprocess.run(["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--allow-file-access-from-files", "--virtual-time-budget=60000",
                       "--dump-dom", page.as_uri()], capture_output=True, text=True, timeout=600)
for path in [page, *copies]:
    path.unlink()
body = done.stdout.partition("<body>")[2].partition("</body>")[0]
lines = body.strip().split("\n")
if lines[-1] != f"all {len(pages)}" or len(pages) < 10:
    lines.append(f"the browser has not looked at all {len(pages)} pages: {done.stderr[-300:]}")
else:
    lines.pop()
print("\n".join(lines))
