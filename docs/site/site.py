#!/usr/bin/env python3
"""The site: README, guide, docs/*.md, lessons and Doxygen's reference as plain HTML in one style. Nothing is loaded from elsewhere.

    site.py SOURCE BUILD OUT [FRAMES]

FRAMES: no picture is of a later frame than that one, for a site that is only to be checked.
Pages are Markdown, which pandoc turns into HTML (formulas into MathML). All may ask for a picture, and lessons for six things more:

    ```picture wave --frames 60  the last picture of this run of a program of BUILD/bin, with the command below

    ```output                    what the lesson's program prints (of its solution: ```output solution)
    ```c main.c [NAME]           the file beside the page, or the function or table NAME of it
    ```trace pass=2-9            these passes of the program (docs/trace.md has the words), and a link to the page of the trace;
                                 from=A:9,to=B:2 are those of the ninth A up to the second B that follows
    ```exercises                 the exercises of all lessons (in exercises.md)
    <output for="...">64</output>  a figure that the program prints, or what is said of its timings (tests/lessons/figures.py compares them)
    ![caption](picture.png)      a picture that the program has written; drawings (.svg) become part of the page

The programs in BUILD/lessons are run for that, and where BUILD/web has the page of lessons (make web) it stands before each exercise. The order of lessons is that of the table in demos/lessons/README.md. What follows the
program of a solution, up to the next heading, is folded with it, and so is a program without texla. A link to what is no page, a picture that nobody has made, a name that is not in the
file: all of them are errors."""

import array
import base64
import fnmatch
import html
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import urllib.parse

source, build, out = (pathlib.Path(argument).resolve() for argument in sys.argv[1:4])
here = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(here.parents[1] / "web"))
from assemble import hashes  # noqa: E402

most_frames = int(sys.argv[4]) if len(sys.argv) > 4 else None
problems = []
traces = {}  # of a lesson: how many there are on its page
listings = {}  # of a lesson: its passes


def problem(page, text):
    problems.append(f"{page}: {text}")


def lesson_pages():
    """The pages of the course, in the order of their links in its first page."""
    text = (source / "demos/lessons/README.md").read_text()
    return list(dict.fromkeys(re.findall(r"\]\(([a-z0-9_]+(?:/page)?\.md)\)", text)))


def order():
    """[(title of a group, [(path in the repository, path in the site)])], in reading order."""
    docs = [name for name in re.findall(r"\]\(([a-z0-9-]+\.md)\)", (source / "docs/index.md").read_text())]
    lessons = [f"demos/lessons/{name}" for name in lesson_pages()]
    for path in source.glob("demos/lessons/**/*.md"):
        if str(path.relative_to(source)) not in lessons + ["demos/lessons/README.md"]:
            problem("demos/lessons/README.md", f"does not link to {path.relative_to(source)}")
    groups = [("texla", ["README.md"] + [name for name in ("CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md") if (source / name).exists()])]
    groups += [("Lessons", ["demos/lessons/README.md"] + lessons)]
    papers = re.findall(r"\]\(([a-z0-9]+/page\.md)\)", (source / "demos/papers/README.md").read_text())
    groups += [("Papers", ["demos/papers/README.md"] + [f"demos/papers/{name}" for name in papers])]
    guide = re.findall(r"\]\(([a-z-]+\.md)\)", (source / "docs/guide/index.md").read_text())
    groups += [("Guide", ["docs/guide/index.md"] + [f"docs/guide/{name}" for name in guide])]
    groups += [("In depth", ["docs/index.md"] + [f"docs/{name}" for name in dict.fromkeys(docs)])]
    return [(title, [(page, place(page)) for page in pages if (source / page).exists()]) for title, pages in groups]


def place(page):
    if page == "README.md":
        return "index.html"
    page = page.replace("demos/lessons/", "lessons/").replace("demos/papers/", "papers/").replace("/page.md", ".md").replace("README.md", "index.md")
    return page.lower()[:-3] + ".html"


groups = order()
pages = {page: target for _, group in groups for page, target in group}


def run_lesson(folder, program, trace=None, words=""):
    """What the program prints; its pictures land beside the page, and a trace of the passes that `words` choose in the folder `trace`."""
    pictures = out / "lessons" / folder
    pictures.mkdir(parents=True, exist_ok=True)
    path = build / "lessons" / (folder if program == "main" else f"{folder}_{program}")
    wanted = dict(os.environ)
    if trace:
        shutil.rmtree(trace, ignore_errors=True)
        trace.parent.mkdir(parents=True, exist_ok=True)
        wanted.update(TEXLA_TRACE=str(trace), TEXLA_TRACE_CHOOSE=words)
    done = subprocess.run([path, "--out", pictures], capture_output=True, text=True, env=wanted)
    if done.returncode:
        problem(folder, f"{path.name} returns {done.returncode}: {done.stderr}")
    return done.stdout


def is_read(found, one, i):
    """Does the pass look at its source number i? Some are bound for other variants of the shader. Where that is not known: yes."""
    lists = [found["reads"][one[key]] for key in ("reads", "points", "triangle") if key in one]
    if "reads" not in one or one["sources"][i]["sampling"] in ("vertex", "block") or any(r["most"] > r["stored"] for r in lists):
        return True
    return any(place == i + 1 for r in lists for place in array.array("h", base64.b64decode(r["values"]))[::4])


def traced(folder, words, number):
    """A trace of a lesson's program, in the lesson's folder of the site, and what it prints; None where there is no trace."""
    target = out / "lessons" / folder / "trace" / str(number)
    printed = run_lesson(folder, "main", target, words)
    return json.loads((target / "trace.json").read_text()) if (target / "trace.json").exists() else None, printed


def run_listing(folder):
    """What a lesson's program prints. `listings` gets all of its passes that have a name which a trace on its page asks for: [(number, its
    names, outermost first)]."""
    text = (source / "demos/lessons" / folder / "page.md").read_text()
    words = [word for fence in re.findall(r"^```trace (.*)$", text, flags=re.M) for word in fence.split(",")]
    names = {re.split("[=:]", word)[1].split("/")[-1] for word in words if re.match("(from|to)=", word)}
    if not names:
        return run_lesson(folder, "main")
    found, printed = traced(folder, ",".join(f"name={name}" for name in sorted(names)) + ",texels=16,size=4", 0)
    listings[folder] = [(one["number"], [step[0] for step in found["paths"][one["path"]]["path"]] + [one["kernel"]])
                        for one in (found["passes"] if found else [])]
    shutil.rmtree(out / "lessons" / folder / "trace/0", ignore_errors=True)
    return printed


def runs(folder, name, after):
    """[[first pass, last pass]] of each time that something of this name was run, from pass `after` on: a kernel or an operation, A/B is
    B within A. Passes in a row belong to one operation; each pass of a kernel is one."""
    result = []
    for number, path in listings.get(folder, []):
        if number < after or not all(fnmatch.filter(path, part) for part in name.split("/")):
            continue
        is_kernel = not fnmatch.filter(path[:-1], name.split("/")[-1])
        if result and result[-1][1] + 1 == number and not is_kernel:
            result[-1][1] = number
        else:
            result.append([number, number])
    return result


def passes_between(page, words):
    """The words of a trace, with pass=A-B instead of from=NAME:K and to=NAME:K. K is 1 where it is not told; without `to` the K-th
    NAME is all."""
    first = last = 0
    rest = []
    for word in words.split(","):
        key, _, value = word.partition("=")
        if key not in ("from", "to"):
            rest.append(word)
            continue
        name, _, k = value.partition(":")
        found = runs((source / page).parent.name, name, first)
        if len(found) < int(k or 1):
            problem(page, f"the program runs {name} only {len(found)} times")
            continue
        begin, last = found[int(k or 1) - 1]
        first = first or begin
    return ",".join(rest + [f"pass={first}-{last}"] * (first > 0))


def shown_numbers(content):
    """What stands instead of a picture that would show nothing but one colour, or one texel: its numbers. Else None."""
    if content.get("nan") == content["count"]:
        return ["NaN"]
    if "min" in content and content["min"] == content["max"] and not content.get("nan") and not content.get("inf"):
        return [f"{content['min']:.6g}"]
    if content["width"] * content["height"] > 1 or "values" not in content or not content["format"].endswith("f"):
        return None
    return [f"{x:.6g}".replace("nan", "NaN") for x in array.array("f", base64.b64decode(content["values"]))]


def thumbnail(place, number, content):
    """A picture of what a pass has rendered, or its number; the trace is in the folder `place`."""
    numbers, w, h = shown_numbers(content), content["width"], content["height"]
    if numbers:
        everywhere = "" if w * h == 1 else "<br>everywhere"
        return f'<span class="number">{"<br>".join(numbers)}{everywhere}</span>'
    shape = " flat" if w >= 4 * h else " steep" if h > 8 * w else ""
    return f'<img class="small{shape}" src="{place}/pictures/pass-{number:05d}-0.png" alt="result of pass {number}">'


def trace(page, words):
    """Passes of a lesson as a table with pictures of what they rendered. Nothing where the library has no tracer."""
    if not (source / "include/texla/trace.h").exists():
        return ""
    folder = (source / page).parent.name
    traces[folder] = traces.get(folder, 0) + 1
    place = f"{folder}/trace/{traces[folder]}"
    found = traced(folder, f"{passes_between(page, words)},pictures,size=8", traces[folder])[0]
    if not found or not found["passes"]:
        problem(page, f"no trace of {words}")
        return ""
    rows = ["| | renders | texels | operator | shader | reads |", "|---|---|---|---|---|---|"]
    for one in found["passes"]:
        number, contents = one["number"], [found["contents"][t["content"]] for t in one["targets"]]
        path = found["paths"][one["path"]]["path"]
        operator = " > ".join(" ".join(map(str, step)) for step in path[-2:])
        reads = ", ".join(source_["name"] for i, source_ in enumerate(one["sources"]) if is_read(found, one, i))
        sizes = ", ".join(f"{c['width']}&nbsp;x&nbsp;{c['height']}" for c in contents)
        image = thumbnail(place, number, contents[0])
        rows.append(f"| {number} | {image} | {sizes} | {operator} | {one['kernel']} | {reads} |")
    return "\n".join(rows) + f'\n\n<p><a href="{place}/index.html">Look at these passes: sources, results, shaders, texels</a></p>'


def part(page, text, name):
    """The definition of `name` in a C text: from the comment above the line in the first column that has it, to its end."""
    lines = text.split("\n")
    starts = [i for i, line in enumerate(lines) if re.match(r"[a-z]", line) and re.search(rf"\b{name}\b", line)]
    if not starts:
        problem(page, f"no {name} in the program")
        return ""
    first = last = starts[0]
    end = ";" if "=" in lines[first] or lines[first].endswith(";") else "}"
    while not (lines[last].endswith(end) if end == ";" else lines[last].startswith(end)):
        last += 1
    while first and (lines[first - 1].startswith(" *") or lines[first - 1].startswith("/*")):
        first -= 1
    return "\n".join(lines[first : last + 1]) + "\n"


def fold(text):
    """What tells the solution of an exercise, or is long and the same again, is shown when it is asked for."""
    text = re.sub(r"^```c solution\.c\n```$.*?(?=^## |\Z)", r"<details class=solution><summary>A solution</summary>\n\n\g<0>\n\n</details>\n\n",
                  text, flags=re.M | re.S)
    return re.sub(r"^```c plain\.c\n```$", r"<details><summary>The program</summary>\n\n\g<0>\n\n</details>", text, flags=re.M)


def exercises():
    """Each lesson's exercise under the lesson's title."""
    parts = []
    for name in lesson_pages():
        text = (source / "demos/lessons" / name).read_text()
        found = re.search(r"^## Exercise\n(.*?)^```c solution", text, flags=re.M | re.S)
        if found:
            parts.append(f"## [{title_of('demos/lessons/' + name)}]({name}#exercise)\n{found.group(1)}")
    return "\n".join(parts)


def painted(page, command):
    """The last picture of a program's run; the command alone where the program has not been built."""
    name = f"pictures/{pathlib.PurePosixPath(page).stem}-{len(list(out.glob('pictures/*.png')))}.png"
    program, *arguments = command.split()
    if most_frames and "--frames" in arguments:
        place = arguments.index("--frames") + 1
        arguments[place] = str(min(most_frames, int(arguments[place])))
    folder = out / "pictures/run"
    if (build / "bin" / program).exists():
        done = subprocess.run([build / "bin" / program, *arguments, "--headless", "--quiet", "--out", folder], capture_output=True, text=True)
        if done.returncode:
            problem(page, f"{command} returns {done.returncode}: {done.stderr}")
    files = sorted(folder.glob("*.png"))
    if not files:
        return f"    build/bin/{command}"
    shutil.move(files[-1], out / name)
    shutil.rmtree(folder)
    return f"![build/bin/{command}]({name})"


def expand(page, text):
    """Fences that name programs and outputs get their contents."""
    folder = (source / page).parent
    outputs = {}

    def fence(match):
        words = match.group(1).split()
        if words[0] == "exercises":
            return exercises()
        if words[0] == "trace":
            return trace(page, words[1])
        if words[0] == "picture":
            return painted(page, match.group(1).partition(" ")[2])
        if words[0] == "output":
            program = words[1] if len(words) > 1 else "main"
            return f"```text\n{outputs[program]}```"
        code = (folder / words[1]).read_text()
        return f"```c\n{part(page, code, words[2]) if len(words) > 2 else code}```"

    if folder.parent.name == "lessons":
        outputs["main"] = run_listing(folder.name)
        outputs["solution"] = run_lesson(folder.name, "solution")
        text = live(folder.name, text)
    return re.sub(r"^```((?:output|trace|picture|exercises|c \w+\.c)\b.*)\n```$", fence, fold(text), flags=re.M)


def live(folder, text):
    """The lesson's page with the part of build/web/lessons.html that runs it, before the exercise; as it is where that (make web) has not been built."""
    runs_here = build / "web/lessons.html"
    if not runs_here.exists() or f'"folder": "{folder}"' not in runs_here.read_text():
        return text
    if not (out / "live.html").exists():
        shutil.copy(runs_here, out / "live.html")
    frame = f'<iframe class="live" src="../live.html#{folder}" title="the lesson\'s program, its shaders and its textures" loading="lazy"></iframe>'
    told = f"## Change it\n\nThe program runs in this page, once more after each change of a shader ([all of the window](../live.html#{folder})).\n\n{frame}\n\n"
    before, heading, rest = text.partition("## Exercise\n")
    return before + told + heading + rest


def relative(target, page):
    return os.path.relpath(target, pathlib.PurePosixPath(pages[page]).parent)


def link(page, match):
    address = html.unescape(match.group(1))
    if re.match(r"[a-z]+:|#", address) or re.search(r"/trace/\d+/index\.html$|^\.\./live\.html#", address):
        return match.group(0)
    path, _, anchor = address.partition("#")
    target = os.path.normpath(os.path.join(os.path.dirname(page), urllib.parse.unquote(path)))
    if target not in pages:
        problem(page, f"links to {address}, which is no page of the site")
        return match.group(0)
    return f'href="{relative(pages[target], page)}{"#" + anchor if anchor else ""}"'


def picture(page, match):
    """A figure with its caption; an SVG drawing stands in the page itself, so that it takes the page's colours."""
    name, caption = html.unescape(match.group(1)), match.group(2)
    made = out / "lessons" / (source / page).parent.name / name if page.startswith("demos/lessons/") else out / name
    drawn = source / os.path.dirname(page) / name
    path = made if made.exists() else drawn
    if not path.exists():
        problem(page, f"nobody has made the picture {name}")
        return ""
    if path.suffix == ".svg":
        inner = path.read_text()
    else:
        if path == drawn:
            target = out / pathlib.PurePosixPath(pages[page]).parent / name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(drawn, target)
            path = target
        inner = f'<img src="{relative(path.relative_to(out), page)}" alt="{caption}" loading="lazy">'
    return f"<figure>{inner}<figcaption>{caption}</figcaption></figure>"


def body(page):
    text = expand(page, (source / page).read_text())
    done = subprocess.run(["pandoc", "-f", "gfm+tex_math_dollars-emoji", "-t", "html5", "--mathml", "--wrap=none"],
                          input=text, capture_output=True, text=True)
    if done.returncode or done.stderr:
        problem(page, f"pandoc says {done.stderr}")
    plain = re.sub(r'stretchy="true" (form="(?:prefix|postfix)">[()\[\]])', r'stretchy="false" \1', done.stdout)
    plain = re.sub(r'(<math display="inline"(?:(?!</math>).)*</math>[.,;:)?]+)', r'<span class="whole">\1</span>', plain)
    plain = re.sub(r"(?<!<pre>)<code>(--[^<]{1,22})</code>", r'<code class="whole">\1</code>', plain)
    result = re.sub(r'<img src="([^"]*)" alt="([^"]*)"\s*/>', lambda m: picture(page, m), plain)
    result = re.sub(r"<p>((?:<figure>.*?</figure>\s*)+)</p>", r'<div class="figures">\1</div>', result, flags=re.S)
    result = re.sub(r"<table>.*?</table>", lambda m: f'<div class="table">{m.group(0)}</div>', result, flags=re.S)
    result = re.sub(r'href="([^"]*)"', lambda m: link(page, m), result)
    return result.replace('<h2 id="two-commands">', gallery() + '<h2 id="two-commands">') if page == "README.md" else result


def gallery():
    """Pictures that lessons have just drawn, for the front page; each leads to its lesson."""
    shown = [("02_ping_pong/coral", "two substances"), ("07_conjugate_gradients/solution", "a membrane"), ("13_implicit_waves/explicit", "waves"),
             ("04_device_scalar/smallest", "an eigenvector"), ("14_navier_stokes/vorticity", "vortices behind a cylinder")]
    items = []
    for name, caption in shown:
        if not (out / f"lessons/{name}.png").exists():
            problem("README.md", f"no lesson has drawn {name}.png")
        items.append(f'<figure><a href="lessons/{name.split("/")[0]}.html"><img src="lessons/{name}.png" alt="{caption}"></a>'
                     f"<figcaption>{caption}</figcaption></figure>")
    return f'<div class="figures">{"".join(items)}</div>'


def title_of(page):
    found = re.search(r"^# (.*)$", (source / page).read_text(), flags=re.M)
    return re.sub(r"[`*]", "", found.group(1)) if found else page


def navigation(page):
    """The list of all pages; the group of this one is open."""
    parts = []
    for name, group in groups:
        items = "".join(
            f'<li><a{" aria-current=page" if other == page else ""} href="{relative(target, page)}">{html.escape(title_of(other))}</a></li>'
            for other, target in group)
        if group:
            is_open = " open" if page in dict(group) else ""
            parts.append(f"<details{is_open}><summary>{name}</summary><ul>{items}</ul></details>")
    parts.append(f'<p><a href="{relative("reference/index.html", page)}">Reference of all calls</a></p>')
    return "".join(parts)


def steps(page):
    """Links to the pages before and after: the course and the guide lead on into the pages in depth."""
    listed = [other for _, group in groups for other, _ in group if other not in ("CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md")]
    if page not in listed:
        return ""
    k = listed.index(page)
    links = [""] * 2
    if k:
        links[0] = f'<a rel="prev" href="{relative(pages[listed[k - 1]], page)}">&larr;&nbsp;{html.escape(title_of(listed[k - 1]))}</a>'
    if k + 1 < len(listed):
        links[1] = f'<a rel="next" href="{relative(pages[listed[k + 1]], page)}">{html.escape(title_of(listed[k + 1]))}&nbsp;&rarr;</a>'
    return f'<nav class="steps" aria-label="before and after"><span>{links[0]}</span><span>{links[1]}</span></nav>'


def write(page):
    frame = (here / "page.html").read_text()
    fields = {"title": html.escape(title_of(page)), "root": relative(".", page), "navigation": navigation(page),
              "body": body(page), "steps": steps(page), "home": relative("index.html", page), "hashes": " ".join(hashes(frame))}
    target = out / pages[page]
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(re.sub(r"@(\w+)@", lambda m: fields[m.group(1)], frame))


def reference():
    """Doxygen's pages of the public headers, with the site's colours."""
    if not shutil.which("doxygen"):
        problem("reference", "doxygen is not installed")
        return
    settings = (source / "docs/Doxyfile").read_text() + f"""
OUTPUT_DIRECTORY = {out}
HTML_OUTPUT = reference
HTML_EXTRA_STYLESHEET = docs/site/reference.css
HTML_COLORSTYLE_SAT = 0
DISABLE_INDEX = NO
SEARCHENGINE = YES
"""
    done = subprocess.run(["doxygen", "-"], input=settings, cwd=source, capture_output=True, text=True)
    if done.returncode or done.stderr:
        problem("reference", f"doxygen says {done.stderr}")
    name = '<div id="projectname">texla'
    for path in (out / "reference").glob("*.html"):
        path.write_text(path.read_text().replace(name, name.replace("texla", '<a href="../index.html">texla</a>')))


def main():
    out.mkdir(parents=True, exist_ok=True)
    shutil.copy(here / "style.css", out)
    for page in reversed(list(pages)):  # lessons draw what the front page shows
        write(page)
    reference()
    for text in problems:
        print(text, file=sys.stderr)
    print(f"{len(pages)} pages and the reference: open {out}/index.html")
    return 1 if problems else 0


sys.exit(main())
