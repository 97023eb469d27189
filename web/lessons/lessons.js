// The page: the program runs in a worker (worker.js), once more after each change of a text. #02_ping_pong in the address chooses the lesson.
"use strict";
const $ = id => document.getElementById(id);
const lessons = @LESSONS@;
const script = URL.createObjectURL(new Blob([$("program").textContent], {type: "text/javascript"})), program = unpack("@WASM@");
const PAUSE = 300; // milliseconds without a key until a text runs

let lesson = lessons[0], part = "main", files = [], own = {}, worker = null, waiting = 0, shown = null;

function say(text, bad = false) {
  $("says").textContent = text;
  $("says").classList.toggle("bad", bad);
}
const make = (tag, set, ...inside) => {
  const element = Object.assign(document.createElement(tag), set);
  element.append(...inside);
  return element;
};

// ---- The editor -----------------------------------------------------------------------------------------

const fileOf = name => files.find(f => f.name === name);

// Numbers of lines, those that are wrong marked; a band behind the first one.
function drawLines(wrong = []) {
  const count = $("editor").value.split("\n").length;
  $("lines").replaceChildren(...Array.from({length: count}, (_, k) => make("span", {className: wrong.includes(k + 1) ? "bad" : "", textContent: k + 1 + "\n"})));
  $("mark").hidden = !wrong.length;
  $("mark").dataset.line = wrong[0] || 1;
  scrolled();
}
function scrolled() {
  const line = parseFloat(getComputedStyle($("editor")).lineHeight);
  $("lines").scrollTop = $("editor").scrollTop;
  $("mark").style.height = line + "px";
  $("mark").style.top = 8 + ($("mark").dataset.line - 1) * line - $("editor").scrollTop + "px";
}

function open(name) {
  const file = fileOf(name);
  shown = file ? name : null;
  $("editor").value = file ? own[name] ?? file.text : "";
  $("editor").scrollTop = 0;
  $("editor").disabled = !file;
  $("revert").disabled = !file || !(name in own);
  drawLines();
}

// What can be edited: the program's own kernels, the library's shaders that it ran, and what they include.
function list(found) {
  const known = new Set(found.map(f => f.name));
  files = [...found, ...files.filter(f => !known.has(f.name))];
  const group = (kind, label) => {
    const these = files.filter(f => f.kind === kind);
    return these.length ? [make("optgroup", {label}, ...these.map(f => new Option(f.name + (f.name in own ? " (changed)" : ""), f.name)))] : [];
  };
  $("file").replaceChildren(...group("kernel", "shaders in the program"), ...group("shader", "texla's shaders"), ...group("include", "included by them"));
  if (!fileOf(shown)) open((files.find(f => f.kind === "kernel") || files.find(f => f.kind === "shader") || {}).name);
  $("file").value = shown;
}

// A compiler's lines, "heat:3: what", belong to the text of that name.
function complain(text) {
  const found = [...text.matchAll(/([\w./ -]+):(\d+): (.*)/g)].map(m => ({file: m[1].trim(), line: Number(m[2]), what: m[3]}));
  const here = found.filter(f => f.file === shown || "/" + f.file === (shown || "").slice(-f.file.length - 1));
  drawLines(here.map(f => f.line));
  $("wrong").hidden = !text;
  $("wrong").textContent = here.length ? here.map(f => `line ${f.line}: ${f.what}`).join("\n") : text;
}

function edited() {
  const file = fileOf(shown);
  if (!file) return;
  if ($("editor").value === file.text) delete own[shown];
  else own[shown] = $("editor").value;
  $("revert").disabled = !(shown in own);
  drawLines();
  clearTimeout(waiting);
  waiting = setTimeout(run, PAUSE);
}

// ---- What a run gives -------------------------------------------------------------------------------------

// The tracer's page without what stands on this one already. It tells which pass it shows and how far it is scrolled, since no page that opens from disk may look
// into another; the next trace then shows the same, and takes its place when it is drawn.
const within = top => `<style>
header, footer, #about, #missing, #timeline, #operators, #shader, #longest, #play, label:has(#speed) { display: none !important; }
body { padding: .4rem !important; } #flow { grid-template-columns: minmax(0, 1fr) 1.2rem minmax(0, 1fr) !important; gap: .3rem !important; }
#arrow::before { content: "\\2192" !important; } figure { max-width: 100% !important; }</style>
<script>{
  const replace = history.replaceState.bind(history), tell = () => parent.postMessage({pass: location.hash, kernel: passes[chosen]?.kernel, top: scrollY}, "*");
  history.replaceState = (state, title, address) => { replace(state, title, address); tell(); };
  addEventListener("scroll", tell);
  addEventListener("load", () => { scrollTo(0, ${top}); tell(); });
}<\/script>`;
let place = {pass: "", top: 0};
addEventListener("message", ({data, source}) => {
  const frame = $("trace").querySelector("iframe:last-child");
  if (!frame || source !== frame.contentWindow || !("pass" in data)) return;
  const clicked = place.pass && data.pass !== place.pass, file = files.find(f => f.name === data.kernel || f.name.endsWith(`/${data.kernel}.frag`));
  place = data;
  if (clicked && file && file.name !== shown) {
    $("file").value = file.name;
    open(file.name);
  }
});
function showTrace(text) {
  const address = html => URL.createObjectURL(new Blob([html], {type: "text/html"}));
  $("whole").href = address(text);
  $("whole").hidden = false;
  const next = make("iframe", {className: "next", title: "passes of the lesson", src: address(text.replace("<head>", "<head>" + within(place.top))) + place.pass});
  next.onload = () => {
    next.className = "";
    for (const frame of [...$("trace").children]) if (frame !== next) frame.remove();
  };
  $("trace").append(next);
}

const kinds = {png: "image/png", svg: "image/svg+xml"};
function showPictures(pictures) {
  $("pictures").replaceChildren(...Object.entries(pictures).map(([name, bytes]) => {
    const [word, end] = name.split("."), image = make("img", {src: URL.createObjectURL(new Blob([bytes], {type: kinds[end]})), alt: word});
    return make("figure", {className: end === "svg" ? "curves" : ""}, image, make("figcaption", {textContent: word}));
  }));
}

function take(data, seconds) {
  const bad = data.status !== 0;
  list(data.files);
  complain(data.complaint);
  for (const id of ["output", "pictures", "trace"]) $(id).classList.toggle("stale", bad);
  if (data.trace && !(bad && $("trace").firstChild)) showTrace(data.trace);
  if (!bad || !$("pictures").firstChild) showPictures(data.pictures);
  say(bad ? "It does not run: see below the shader." : `It ran in ${seconds.toFixed(1)} s.`, bad);
}

// ---- Runs -------------------------------------------------------------------------------------------------

function run() {
  clearTimeout(waiting);
  if (worker) worker.terminate();
  const here = worker = new Worker(script), began = performance.now(), lines = [];
  const first = Math.max(1, Number($("first").value) || 1), count = Math.max(1, Number($("count").value) || 1);
  say("Running …");
  here.onerror = failure => say(failure.message || "The program has failed.", true);
  here.onmessage = ({data}) => {
    if (here !== worker) return;
    if (data.said !== undefined) lines.push(data.said);
    if (data.status === undefined) return;
    if (!data.status || lines.length) $("output").textContent = lines.join("\n");
    here.terminate();
    worker = null;
    take(data, (performance.now() - began) / 1000);
  };
  const asked = {run: [lesson.folder, part], own, choose: `pass=${first}-${first + count - 1},size=16`};
  program.then(module => here.postMessage({program: module, ...asked}), failure => say("The program could not be loaded: " + failure, true));
}

function begin(which) {
  part = which;
  for (const id of ["main", "solution"]) $(id).setAttribute("aria-pressed", id === part);
  files = [];
  own = {};
  shown = null;
  place = {pass: "", top: 0};
  for (const id of ["output", "pictures", "trace"]) $(id).replaceChildren();
  $("whole").hidden = true;
  open(null);
  run();
}

function choose(folder) {
  lesson = lessons.find(l => l.folder === folder) || lessons[0];
  $("lesson").value = lesson.folder;
  $("main").disabled = !lesson.runs;
  $("solution").disabled = !lesson.solution;
  $("note").textContent = lesson.note;
  $("note").hidden = !lesson.note;
  $("first").value = 1;
  document.title = lesson.title;
  $("exercise").innerHTML = lesson.exercise ? "<h2>Exercise</h2>" + lesson.exercise : "";
  if (lesson.solution) $("exercise").append(make("details", {}, make("summary", {textContent: "A solution"}), make("pre", {textContent: lesson.solution})));
  begin(lesson.runs ? "main" : "solution");
}

$("lesson").append(...lessons.map(l => new Option(l.title, l.folder)));
$("lesson").addEventListener("change", () => { location.hash = $("lesson").value; });
addEventListener("hashchange", () => choose(location.hash.slice(1)));
$("file").addEventListener("change", () => open($("file").value));
$("editor").addEventListener("input", edited);
$("editor").addEventListener("scroll", scrolled);
$("revert").addEventListener("click", () => {
  $("editor").value = fileOf(shown).text;
  edited();
});
for (const id of ["first", "count"]) $(id).addEventListener("change", run);
for (const id of ["main", "solution"]) $(id).addEventListener("click", () => begin(id));
document.documentElement.classList.toggle("within", self !== top); // of a page that tells of the lesson
choose(location.hash.slice(1));
