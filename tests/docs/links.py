"""links.py FOLDER: what is wrong with the links of its pages, one a line: files and anchors that are not there, and anything that a
browser would load from elsewhere (live.html alone takes its places from a list of its own); pages that the links to the next page, from index.html on, do not come to. Doxygen's own pages
(reference/) only have to have the files."""

import html.parser
import pathlib
import sys
import urllib.parse

root = pathlib.Path(sys.argv[1])


class Page(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.ids, self.links, self.loads, self.next = set(), [], [], None
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name == "id" or (name == "name" and tag == "a"):
                self.ids.add(value)
            if name == "src" or (name == "href" and tag == "link"):
                self.loads.append(value)
            if name == "href" and tag == "a":
                self.links.append(value)
                if ("rel", "next") in attributes:
                    self.next = value


pages = {path.resolve(): Page(path.read_text(errors="replace")) for path in root.rglob("*.html")}
if len(pages) < 10:
    print(f"only {len(pages)} pages in {root}")
for path, page in sorted(pages.items()):
    name = path.relative_to(root.resolve())
    ours = name.parts[0] != "reference"
    for address in page.loads:
        if address.startswith("javascript:"):
            continue
        if urllib.parse.urlparse(address).scheme or address.startswith("//"):
            print(f"{name} loads {address}")
        elif not (path.parent / urllib.parse.unquote(urllib.parse.urlparse(address).path)).exists():
            print(f"{name} loads {address}, which is not there")
    for address in page.links:
        parts = urllib.parse.urlparse(address or "")
        if parts.scheme in ("http", "https", "mailto", "javascript"):
            continue
        target = (path.parent / urllib.parse.unquote(parts.path)).resolve() if parts.path else path
        if not target.exists():
            print(f"{name} links to {address}, which is not there")
        elif ours and parts.fragment and target in pages and target.name != "live.html" and urllib.parse.unquote(parts.fragment) not in pages[target].ids:
            print(f"{name} links to {address}: no such place in the page")

place, seen = root.resolve() / "index.html", set()
while place in pages and place not in seen:
    seen.add(place)
    if pages[place].next:
        place = (place.parent / pages[place].next).resolve()
apart = {"contributing.html", "changelog.html", "security.html", "live.html"}  # beside the order
for path in sorted(pages.keys() - seen):
    name = path.relative_to(root.resolve())
    if not {"reference", "trace"} & set(name.parts) and name.name not in apart:
        print(f"no link to the next page leads to {name}")
