// The page: what is asked goes to a worker that runs the program (worker.js), one for each run, so that a run can be stopped at any time.
"use strict";
const $ = id => document.getElementById(id);

// Kinds of `texla gen`: what is told of the size N, what stands behind it, and whether the matrix comes from a grid of N x N points.
const kinds = {
  "poisson2d": {size: 64, title: "N x N points", more: [], grid: true}, "anisotropic": {size: 64, title: "N x N points", more: ["0.01"], grid: true},
  "fem-plate": {size: 64, title: "N x N points", more: [], grid: true}, "spd": {size: 200, title: "N unknowns", more: ["1"]},
  "dominant": {size: 200, title: "N unknowns", more: ["1"]}, "conditioned": {size: 200, title: "N unknowns", more: ["1"]},
};
const solvers = ["auto", "cg", "bicgstab", "gmres", "mg", "amg", "jacobi", "plu", "cholesky"];
const preconditioners = ["none", "jacobi", "chebyshev", "mg", "amg", "ilu0", "ic0"];
const helped = ["auto", "cg", "bicgstab", "gmres"]; // solvers that take a preconditioner

const script = URL.createObjectURL(new Blob([$("program").textContent], {type: "text/javascript"})), program = unpack("@WASM@");
let worker = null, matrix = null, curve = [], name = "A";

const fill = (select, names) => select.append(...names.map(n => new Option(n, n)));
fill($("generated"), Object.keys(kinds));
fill($("solver"), solvers);
fill($("precond"), preconditioners);

function say(text, bad = false) {
  $("says").textContent = text;
  $("says").classList.toggle("bad", bad);
}

// ---- The picture of residuals, which grows ----------------------------------------------------------

function draw() {
  const canvas = $("curve"), c = canvas.getContext("2d"), style = getComputedStyle(document.documentElement), colour = n => style.getPropertyValue(n);
  const points = curve.filter(p => p[1] > 0 && Number.isFinite(p[1]));
  const d = devicePixelRatio || 1, width = canvas.clientWidth, height = canvas.clientHeight, left = 48, low = height - 28;
  canvas.width = width * d;
  canvas.height = height * d;
  c.scale(d, d);
  if (!points.length) return;
  const most = Math.max(1, points[points.length - 1][0]), logs = points.map(p => Math.log10(p[1]));
  const top = Math.ceil(Math.max(0, ...logs)), bottom = Math.floor(Math.min(-6, ...logs));
  const x = k => left + k / most * (width - left - 8), y = l => 8 + (top - l) / (top - bottom) * (low - 8);
  c.font = "12px system-ui, sans-serif";
  c.fillStyle = colour("--faint");
  c.strokeStyle = colour("--line");
  for (let l = top, step = Math.ceil((top - bottom) / 7); l >= bottom; l -= step) {
    c.fillText("1e" + l, 2, y(l) + 4);
    c.strokeRect(left, y(l), width - left - 8, 0);
  }
  c.fillText(most + " iterations", width - 8 - c.measureText(most + " iterations").width, height - 6);
  c.strokeStyle = colour("--accent");
  c.lineWidth = 2;
  c.beginPath();
  points.forEach((p, k) => c[k ? "lineTo" : "moveTo"](x(p[0]), y(logs[k])));
  c.stroke();
}
new ResizeObserver(draw).observe($("curve"));

// ---- The picture of A ---------------------------------------------------------------------------------

function drawPattern(m) {
  const canvas = $("pattern"), c = canvas.getContext("2d");
  $("caption").textContent = m ? `${m.rows} × ${m.cols}, ${m.entries} entries` : "";
  if (!m || !m.count) return c.clearRect(0, 0, canvas.width, canvas.height);
  canvas.width = m.wide;
  canvas.height = m.high;
  const picture = c.createImageData(m.wide, m.high), most = m.count.reduce((a, b) => Math.max(a, b), 1);
  const ink = getComputedStyle(document.documentElement).getPropertyValue("--accent").trim();
  const [r, g, b] = [1, 3, 5].map(k => parseInt(ink.slice(k, k + 2), 16));
  m.count.forEach((n, k) => picture.data.set([r, g, b, n && 90 + 165 * n / most], 4 * k));
  c.putImageData(picture, 0, 0);
}

// ---- Runs ---------------------------------------------------------------------------------------------

function offer(files) {
  const all = {"x.mtx": "the solution", "h.csv": "residuals", "report.json": "the report", "A.mtx": "the matrix"};
  $("files").replaceChildren(...Object.entries(all).filter(([file]) => files[file]).map(([file, text]) => {
    const a = document.createElement("a");
    a.href = URL.createObjectURL(new Blob([files[file]]));
    a.download = file;
    a.textContent = text;
    return a;
  }));
}

// texla's arguments, as the form says; with `trace` every pass is recorded.
function argumentsOf(trace) {
  const list = ["solve", "A.mtx", "--solver", $("solver").value, "--out", "x.mtx", "--history", "h.csv", "--json"];
  if (!$("precond").disabled && $("precond").value !== "none") list.push("--precond", $("precond").value);
  if ($("tolerance").value.trim()) list.push("--tol", $("tolerance").value.trim());
  if ($("refine").checked) list.push("--refine");
  if (!matrix && kinds[$("generated").value].grid && [$("solver").value, $("precond").value].includes("mg")) list.push("--grid", `${$("size").value}x${$("size").value}`);
  if (trace) list.push("--trace", "t");
  return list;
}

function end() {
  if (worker) worker.terminate();
  worker = null;
  $("solve").disabled = $("trace").disabled = false;
  $("stop").disabled = true;
}

function take(data, tab) {
  const {status, complaint, files} = data;
  if (files["h.csv"]) {
    const lines = new TextDecoder().decode(files["h.csv"]).trim().split("\n").slice(1);
    curve = lines.map(l => l.split(",").map(Number));
    draw();
  }
  $("report").textContent = data.output;
  if (status > 1) return say((complaint || "The run has failed.").replaceAll("A.mtx", matrix ? name : "A"), true);
  const found = JSON.parse(data.output);
  files["report.json"] = data.output;
  offer(files);
  say(`${status ? `Not converged: ${found.reason}` : "Converged"}; residual ${found.residual === null ? "unknown" : found.residual.toExponential(2)} after ${found.iterations} iterations, ${found.seconds_solve.toFixed(2)} s`, status !== 0);
  if (tab && files["t/index.html"]) tab.location = URL.createObjectURL(new Blob([files["t/index.html"]], {type: "text/html"}));
  else if (tab) tab.close();
}

function start(trace) {
  const runs = [argumentsOf(trace)], kind = $("generated").value;
  const tab = trace ? window.open("", "_blank") : null; // at once: browsers allow it within a click alone
  if (!matrix) runs.unshift(["gen", kind, $("size").value, ...kinds[kind].more, "--out", "A.mtx"]);
  curve = [];
  draw();
  offer({});
  $("report").textContent = "";
  end();
  $("solve").disabled = $("trace").disabled = true;
  $("stop").disabled = false;
  say(matrix ? "Reading …" : "Generating …");
  worker = new Worker(script);
  worker.onerror = failure => {
    end();
    say(failure.message || "The program has failed.", true);
  };
  worker.onmessage = ({data}) => {
    if (data.matrix) drawPattern(data.matrix);
    if (data.begun && data.begun[0] === "solve") say("Solving …");
    if (data.iteration !== undefined) {
      if (!curve.length && data.iteration) curve.push([0, 1]);
      curve.push([data.iteration, data.residual]);
      draw();
      say(`Iteration ${data.iteration}, residual ${data.residual.toExponential(2)}`);
    }
    if (data.status !== undefined) {
      end();
      take(data, tab);
    }
  };
  const here = worker, asked = {files: matrix ? {"A.mtx": matrix} : {}, runs, give: ["x.mtx", "h.csv", "A.mtx", ...(trace ? ["t/index.html"] : [])]};
  program.then(module => here.postMessage({program: module, ...asked}), failure => say(String(failure), true));
}

$("form").addEventListener("submit", event => {
  event.preventDefault();
  start(false);
});
$("trace").addEventListener("click", () => start(true));
$("stop").addEventListener("click", () => {
  end();
  say("Stopped.", true);
});

// ---- The form -----------------------------------------------------------------------------------------

async function choose(file) {
  const failure = await file.arrayBuffer().then(bytes => { matrix = new Uint8Array(bytes); }, said => said); // a folder, say
  if (failure) return say(`${file.name} cannot be read: ${failure.message}`, true);
  name = file.name;
  $("drop").firstChild.textContent = name;
  $("generated").selectedIndex = -1;
  $("size").disabled = true;
  drawPattern(null);
  say(`${name}: ${(matrix.length / 1024).toFixed(1)} KB`);
}
$("file").addEventListener("change", () => $("file").files.length && choose($("file").files[0]));
$("generated").addEventListener("change", () => {
  matrix = null;
  $("drop").firstChild.textContent = "Drop a Matrix Market file here, or choose one";
  $("size").disabled = false;
  $("size").value = kinds[$("generated").value].size;
  $("meaning").textContent = kinds[$("generated").value].title;
});
$("meaning").textContent = kinds["poisson2d"].title;
// Who leaves the solver to texla leaves it the preconditioner, too, unless one is chosen.
const showHelp = () => {
  $("precond").disabled = !helped.includes($("solver").value);
  $("precond").options[0].text = $("solver").value === "auto" ? "auto" : "none";
};
$("solver").addEventListener("change", showHelp);
showHelp();
for (const kind of ["dragover", "dragleave", "drop"])
  document.addEventListener(kind, event => {
    event.preventDefault();
    $("drop").classList.toggle("over", kind === "dragover");
    if (kind === "drop" && event.dataTransfer.files.length) choose(event.dataTransfer.files[0]);
  });
