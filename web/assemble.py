#!/usr/bin/env python3
"""One file of several, such as a page that opens from disk.

    assemble.py TEMPLATE OUT NAME=FILE...

@NAME@ in the template, or in one of the files, becomes the text of the file; of one that ends in .wasm it is compressed (unpack.js). What stands in a page's
<script> does not end it. @HASHES@ in a template becomes the hashes of the page's scripts, for its Content-Security-Policy; SHOWN=FILE names a page that it
shows, whose script needs the same."""
import base64
import gzip
import hashlib
import re
import sys
from pathlib import Path


def packed(path):
    """A file as text, a third of its size."""
    return base64.b64encode(gzip.compress(path.read_bytes(), mtime=0)).decode()


def script(text):
    """A script within a page must not end it."""
    return re.sub(r"</(script)", r"<\\/\1", text, flags=re.IGNORECASE).replace("<!--", r"<\!--")


def assemble(template, parts):
    """`parts`: texts by their names."""
    names = re.compile("@(" + "|".join(parts) + ")@")

    def filled(text):
        return names.sub(lambda match: filled(parts[match.group(1)]), text)

    return filled(template)


def hashes(page):
    """Of a page's scripts, as a Content-Security-Policy names them."""
    found = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    return [f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'" for text in found]


def guarded(page, shown=None):
    """With the hashes of its scripts, and of that of the page that it shows."""
    known = hashes(page)
    if shown:
        known += hashes(shown.read_text().replace("@SCRIPT@", shown.with_suffix(".js").read_text()))
    return page.replace("@HASHES@", " ".join(known))


def text_of(path, page):
    if path.suffix == ".wasm":
        return packed(path)
    return script(path.read_text()) if page and path.suffix == ".js" else path.read_text()


def main():
    template, out, *named = sys.argv[1:]
    page = template.endswith(".html")
    files = {name: Path(file) for name, file in (item.split("=", 1) for item in named)}
    shown = files.pop("SHOWN", None)
    parts = {name: text_of(file, page) for name, file in files.items()}
    Path(out).parent.mkdir(parents=True, exist_ok=True)
    Path(out).write_text(guarded(assemble(Path(template).read_text(), parts), shown))


if __name__ == "__main__":
    main()
