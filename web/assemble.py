#!/usr/bin/env python3
"""One file of several, such as a page that opens from disk.

    assemble.py TEMPLATE OUT NAME=FILE...

@NAME@ in the template becomes the text of the file. What stands in a page's <script> does not end it."""
import re
import sys
from pathlib import Path


def script(text):
    return re.sub(r"</(script)", r"<\\/\1", text, flags=re.IGNORECASE).replace("<!--", r"<\!--")


def main():
    template, out, *named = sys.argv[1:]
    files = dict(item.split("=", 1) for item in named)
    page = template.endswith(".html")

    def part(match):
        text = Path(files[match.group(1)]).read_text()
        return script(text) if page and files[match.group(1)].endswith(".js") else text

    Path(out).parent.mkdir(parents=True, exist_ok=True)
    Path(out).write_text(re.sub("@(" + "|".join(files) + ")@", part, Path(template).read_text()))


if __name__ == "__main__":
    main()
