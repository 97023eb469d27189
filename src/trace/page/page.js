"use strict";
// The trace's data: docs/trace.md describes it.
const data = JSON.parse(document.getElementById("data").textContent);
const {meta, passes, contents, shaders, paths, reads} = data;
const $ = id => document.getElementById(id);

function element(name, attributes, ...children) {
  const e = document.createElement(name);
  for (const [key, value] of Object.entries(attributes || {}))
    if (typeof value === "function") e.addEventListener(key, value);
    else if (value !== false && value !== undefined) e.setAttribute(key, value === true ? "" : value);
  e.append(...children.filter(c => c !== null && c !== undefined));
  return e;
}
function svg(name, attributes, ...children) {
  const e = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes || {}))
    if (typeof value === "function") e.addEventListener(key, value);
    else e.setAttribute(key, value);
  e.append(...children);
  return e;
}
// The shortest decimal that is the same single-precision number.
function number(v) {
  if (!Number.isFinite(v)) return String(v);
  for (let digits = 1; digits < 9; digits++)
    if (Math.fround(Number(v.toPrecision(digits))) === Math.fround(v)) return String(Number(v.toPrecision(digits)));
  return String(Number(v.toPrecision(9)));
}
const short = v => v === undefined ? "" : !Number.isFinite(v) ? String(v) : String(Number(v.toPrecision(4)));
const seconds = s => s < 0 ? "not measured" : s < 1e-3 ? short(s * 1e6) + " \u00b5s" : s < 1 ? short(s * 1e3) + " ms" : short(s) + " s";
const bytes = b => b < 1e4 ? b + " bytes" : b < 1e7 ? short(b / 1024) + " KiB" : short(b / 1048576) + " MiB";

// ---- what a pass is called

const stepText = ([name, index]) => index === undefined ? name : name + " " + index;
const pathOf = pass => paths[pass.path].path;
const callOf = pass => pathOf(pass)[pathOf(pass).length - 1][0];
const textOf = pass => pass.kernel + " " + pathOf(pass).map(stepText).join(" ");
const placeOf = new Map(passes.map((pass, i) => [pass.number, i])); // of the pass with this number
const producer = content => content >= 0 && placeOf.has(contents[content].pass) ? placeOf.get(contents[content].pass) : -1;
const consumers = contents.map(() => []); // of each content: the passes that read it
passes.forEach((pass, i) => pass.sources.forEach(s => s.content >= 0 && !consumers[s.content].includes(i) && consumers[s.content].push(i)));
passes.forEach((pass, i) => pass.targets.forEach(t => t.before >= 0 && consumers[t.before].push(i)));
const isHost = pass => pass.shape === "host";
const linesOf = pass => isHost(pass) ? [] : shaderLines(shaders[pass.shader].fragment);
// The comment that begins a shader's own file says what it computes.
function formulaOf(pass) {
  if (isHost(pass)) return "A step that the host computes: it reads the sources back, and writes what it has computed into the results.";
  const {fragment, vertex} = shaders[pass.shader], own = beginOf(fragment, fragment.files.includes(pass.kernel) ? pass.kernel : pass.kernel + ".frag");
  return pass.shape === "points" ? beginOf(vertex, vertex.name + ".vert") + "\n" + own : own; // points are computed by their vertices
}
function beginOf(stage, file) {
  const own = [];
  for (const l of shaderLines(stage).filter(l => l.file === file)) {
    if (l.text.startsWith("//")) own.push(l.text.replace(/^\/\/ ?/, ""));
    else if (own.length) break;
  }
  return own.join("\n");
}
// What the fragment shader calls its outputs. An array's have names where a comment behind it lists them: "out vec4 next[3]; // x, r, p".
function outputsOf(pass) {
  const names = [];
  for (const {text} of linesOf(pass)) {
    const m = /^\s*(?:layout\s*\(.*?\)\s*)?out\s+\w+\s+([^;]+);\s*(?:\/\/\s*(.*))?$/.exec(text);
    for (const word of m ? m[1].split(",") : []) {
      const [, name, size] = /^\s*(\w+)\s*(?:\[(.*)\])?\s*$/.exec(word) || [], said = (m[2] || "").split(/\s*,\s*/);
      if (name && size === undefined) names.push(name);
      else if (name) for (let k = 0; names.length < pass.targets.length; k++) names.push(said.length > 1 && said[k] || `${name}[${k}]`);
    }
  }
  if (pass.targets.length === 1) return [(names[0] || "result").replace("txOutput", "result").replace("[0]", "")];
  return pass.targets.map((_, k) => (names[k] || `result ${k + 1}`).replace("txOutput", "result"));
}
// How a source is read: by the host, through a uniform block, by fragments, by vertices, or not at all (it is bound, but this variant of the
// shader does not use it).
const fetched = new Map(); // of a list of reads: its sources
function isRead(list, source) {
  if (!(list >= 0)) return false;
  if (!fetched.has(list)) {
    const values = placesOf(list), sources = new Set();
    for (let i = 0; i < values.length; i += 4) sources.add(values[i] - 1);
    fetched.set(list, sources);
  }
  return fetched.get(list).has(source);
}
const isCut = list => list >= 0 && reads[list].most > reads[list].stored;
function usageOf(pass, source) {
  const {name, sampling} = pass.sources[source];
  if (isHost(pass)) return "host";
  if (sampling === "block") return "block";
  if (isRead(pass.reads, source)) return "fragment";
  if (sampling === "vertex" || isRead(pass.points, source) || new RegExp(`uniform\\s+i?sampler2D(Array)?[^;]*\\b${name}\\b`).test(shaders[pass.shader].vertex.text)) return "vertex";
  if (isRead(pass.triangle, source)) return "triangle";
  return pass.shape !== "points" && !(pass.reads >= 0) || isCut(pass.reads) || isCut(pass.triangle) ? "unknown" : "none";
}
// A colour for a name: the same wherever it occurs.
const hues = [212, 28, 145, 305, 48, 262, 0, 180, 95, 330];
const hueOf = (() => { const seen = new Map(); return name => { if (!seen.has(name)) seen.set(name, hues[seen.size % hues.length]); return seen.get(name); }; })();
const colourOf = (name, light = isDark() ? 58 : 44) => `hsl(${hueOf(name)} 55% ${light}%)`;

// ---- what textures hold

const kept = new Map(); // decoded contents, the latest last
function bytesOf(base64) {
  const raw = atob(base64), b = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; i++) b[i] = raw.charCodeAt(i);
  return b.buffer;
}
function decode(c) {
  const buffer = bytesOf(c.values);
  return c.format.endsWith("i") ? new Int32Array(buffer) : new Float32Array(buffer);
}
// All stored numbers of a content: its own, or what it was based on with its rectangle drawn into it.
function valuesOf(index) {
  const chain = [];
  for (let at = index; ; at = contents[at].base) {
    chain.push(at);
    if (kept.has(at) || !(contents[at].base >= 0)) break;
  }
  let values = null;
  for (const at of chain.reverse()) {
    const c = contents[at], part = kept.get(at) || decode(c), [x0, y0, w, h] = c.rect;
    if (!values || !(c.base >= 0)) { values = part; continue; }
    values = values.slice();
    for (let y = 0; y < h; y++) values.set(part.subarray(y * w * c.channels, (y + 1) * w * c.channels), ((y0 + y) * c.width + x0) * c.channels);
  }
  kept.delete(index);
  kept.set(index, values);
  if (kept.size > 400) kept.delete(kept.keys().next().value);
  return values;
}
const stored = (size, stride) => Math.ceil(size / stride);
// The four numbers of a texel (of the nearest one that is stored).
function texelOf(index, layer, x, y) {
  const c = contents[index], w = stored(c.width, c.stride), h = stored(c.height, c.stride);
  const at = ((layer * h + Math.floor(y / c.stride)) * w + Math.floor(x / c.stride)) * c.channels;
  return Array.from(valuesOf(index).subarray(at, at + c.channels));
}
// Texels of a row that are worth a look: of a history, which has room for many iterations, those up to the last one that was written.
function usedOf(c) {
  if (c.kind !== "history") return Infinity;
  if (!c.used) {
    const values = valuesOf(contents.indexOf(c)), w = stored(c.width, c.stride);
    c.used = 8;
    values.forEach((v, i) => { if (v) c.used = Math.max(c.used, Math.floor(i / c.channels) % w + 2); });
  }
  return c.used;
}
// How a texel's lanes lie in a picture: columns x rows; matrices have row 0 at the top, fields at the bottom.
function shapeOf(c) {
  const dense = c.kind === "dense", columns = dense ? c.size[3] : c.channels, rows = dense ? c.size[2] : 1;
  const width = Math.min(stored(c.width, c.stride), usedOf(c)) * columns, height = stored(c.height, c.stride) * rows, wide = width > height;
  return {columns, rows, top: dense, width, height, across: wide ? 1 : c.layers, down: wide ? c.layers : 1};
}
// Layers stand side by side, or below each other, the first one at the left, at the top.
const cornerOf = (s, layer) => s.across > 1 ? [layer * s.width, 0] : [0, layer * s.height];
// Another source of a pass that reads this content, by its kind: what a texel of a sparse matrix is says another of its textures.
function besideOf(c, kind, wanted = () => true) {
  c.beside ||= {};
  if (!(kind in c.beside)) {
    const others = consumers[contents.indexOf(c)].flatMap(i => passes[i].sources.map(s => s.content)).filter(k => k >= 0 && contents[k].kind === kind && contents[k].stride === 1 && wanted(contents[k]));
    c.beside[kind] = others.length ? others[0] : -1;
  }
  return c.beside[kind];
}
// Element j of x, of its position there: row v, column u are v 2^shift + u.
const elementAt = (position, shift, row) => Math.floor(position / 2 ** shift) * row + position % 2 ** shift;
// The range that item k is in.
function rangeWith(content, k) {
  const starts = valuesOf(content), last = contents[content].size[0] - 2;
  let low = 0, high = last;
  while (low < high) { const middle = Math.ceil((low + high) / 2); if (starts[middle] <= k) low = middle; else high = middle - 1; }
  return low;
}
function meaningInCsr(c, x, y) {
  const s = c.size, k = y * 2 ** s[1] + x, holds = k < s[0];
  if (c.kind === "ranges") return {text: s[2] ? k === s[0] - 1 ? "the number of entries" : `the first entry of row ${k}` : `where range ${k} begins`, holds};
  if (!holds) return {text: "", holds};
  const columns = c.kind === "positions" ? contents.indexOf(c) : besideOf(c, "positions", o => o.size[0] === s[0]);
  const ranges = besideOf(c, "ranges", o => o.size[2]), p = columns >= 0 && contents[columns];
  const row = ranges >= 0 ? rangeWith(ranges, k) : undefined, column = p ? elementAt(texelOf(columns, 0, x, y)[0], p.size[2], p.size[3]) : undefined;
  const entry = row !== undefined && column !== undefined ? `entry (${row}, ${column}), number ${k}` : `entry number ${k}` + (column !== undefined ? `, column ${column}` : "");
  return {text: c.kind === "positions" ? `where x_${column} is, for ${entry}` : entry, holds};
}
function meaningInSlots(c, x, y, lane) {
  const [length, row, shift, width] = c.size;
  for (let k = 0; k < c.parts.length; k += 5) {
    const [left, bottom, first, height, slots] = c.parts.slice(k, k + 5), u = 4 * (x - left) + lane, n = (y - bottom) % slots;
    if (x < left || u >= row || y < bottom || y >= bottom + height * slots) continue;
    const i = (first + Math.floor((y - bottom) / slots)) * row + u;
    if (i >= length) continue;
    const at = c.kind === "slots" ? besideOf(c, "slot positions") : contents.indexOf(c), value = besideOf(c, "slots");
    const j = at >= 0 ? elementAt(texelOf(at, 0, x, y)[lane], shift, width) : "?";
    const filled = c.kind === "slots" ? texelOf(contents.indexOf(c), 0, x, y)[lane] : value >= 0 ? texelOf(value, 0, x, y)[lane] : 1;
    const entry = filled ? `entry (${i}, ${j}), slot ${n}` : `slot ${n} of row ${i}, free`;
    return {text: c.kind === "slots" ? entry : filled ? `where x_${j} is, for ${entry}` : entry, holds: true};
  }
  return {text: "", holds: false};
}
// A packed triangle is the left part of it, with the rest turned by 180 degrees beside it (src/triangle/lower.h).
function meaningInPacked(c, x, y, lane) {
  const [order, m] = c.size, odd = m % 2, side = m === order ? 1 : 2, left = Math.ceil(m / 2), whole = x <= y - 1 + odd && x < left;
  const [i, j, k] = whole ? [y - 1 + odd, x, lane] : [m - 1 - y, m - 1 + odd - x, side * side - 1 - lane];
  const a = side * i + Math.floor(k / side), b = side * j + k % side;
  return {text: a < b ? `beside the diagonal, for (${b}, ${a})` : `entry (${a}, ${b})`, holds: a < order && b < order};
}
function meaningInPanel(c, x, y, lane, layer) {
  const [columns, rows, first, row] = c.size, i = 128 * y + x, j = 4 * layer + lane, height = Math.ceil(rows / 128);
  if (y === height && layer === 7) return {text: x < 32 ? lane < 2 ? "" : `pivot ${x}: its ${lane === 2 ? "row" : "value"}` : lane < 2 ? `candidate ${x - 32}: its ${lane ? "row" : "measure"}` : "", holds: true};
  if (y >= height || i >= rows) return {text: "", holds: y <= height};
  if (layer === 7 && lane === 2) return {text: `state of row ${row + i}: 0 active, s + 1 pivot of step s, -1 out`, holds: true};
  return {text: j < columns && first + j < c.size[4] ? `entry (${row + i}, ${first + j})` : "", holds: true};
}
// Without states and records, which are numbers of rows.
const entriesOfPanel = (c, values) => Array.from(values).filter((_, i) => (i % 4 < 2 || i < 7 * c.width * c.height * 4) && Math.floor(i / 4 / c.width) % c.height < Math.ceil(c.size[1] / 128));
// What a lane of a texel is: {text, holds}. The mirror of txTraceHolds() in src/trace/contents.c.
function meaningOf(c, x, y, lane, layer = 0) {
  const s = c.size;
  if (c.kind === "slots" || c.kind === "slot positions") return meaningInSlots(c, x, y, lane);
  if (c.kind === "values" || c.kind === "positions" || c.kind === "ranges") return meaningInCsr(c, x, y);
  if (c.kind === "packed") return meaningInPacked(c, x, y, lane);
  if (c.kind === "panel") return meaningInPanel(c, x, y, lane, layer);
  if (c.kind === "scalar") return {text: "scalar", holds: true};
  if (c.kind === "history") return {text: `iteration ${x}, number ${lane + 1} of row ${y}`, holds: true};
  if (c.kind === "dense") {
    const i = y * s[2] + Math.floor(lane / s[3]), j = x * s[3] + lane % s[3];
    return {text: `entry (${i}, ${j})`, holds: i < s[0] && j < s[1]};
  }
  const column = c.kind === "multivector" || c.kind === "unpacked" ? x : 4 * x + lane, i = y * s?.[1] + column;
  const place = s?.[2] ? ` at column ${column}, row ${y}` : "";
  if (c.kind === "multivector") return {text: `element ${i} of vector ${lane}${place}`, holds: x < s[1] && i < s[0]};
  if (c.kind === "vector" || c.kind === "unpacked") return {text: `element ${i}${place}`, holds: column < s[1] && i < s[0]};
  if (c.kind === "diagonal") {
    const k = [s[3], s[4]].find(k => i + k >= 0 && i + k < s[0]);
    return k === undefined ? {text: `diagonal, row ${i}`, holds: false} : {text: `entry (${i}, ${i + k}), diagonal ${k}`, holds: column < s[1] && i < s[0]};
  }
  return {text: "", holds: true};
}
const kindText = c => ({vector: c.size?.[2] ? `vector on a grid, ${c.size[1]} \u00d7 ${Math.ceil(c.size[0] / c.size[1])}` : `vector of ${c.size?.[0]}`, multivector: `four vectors of ${c.size?.[0]}`,
  dense: `matrix ${c.size?.[0]} \u00d7 ${c.size?.[1]}, ${c.size?.[2]} \u00d7 ${c.size?.[3]} to a texel`, diagonal: c.size?.[3] === c.size?.[4] ? `diagonal ${c.size?.[3]}` : `diagonals ${c.size?.[3]} and ${c.size?.[4]}`,
  unpacked: `vector of ${c.size?.[0]}, one element to a texel`, packed: `packed triangle of order ${c.size?.[0]}`, panel: `panel of ${c.size?.[0]} columns, four to a layer`, slots: "values in slots",
  "slot positions": "positions in x, of slots", values: `${c.size?.[0]} entries of csr`, positions: "their positions in x", ranges: c.size?.[2] ? "where rows begin" : "where ranges begin", scalar: "scalar", history: "history of an iteration"})[c.kind] || "";
const sizeText = c => `${c.width} \u00d7 ${c.height}${c.layers > 1 ? " \u00d7 " + c.layers : ""} ${c.format}`;

// ---- colours

const tables = Object.fromEntries(Object.entries(data.colours).map(([name, hex]) => [name, hex.match(/../g).map(h => parseInt(h, 16))]));
// Symmetric around zero where there are both signs. Marks such as 1e9 among other numbers would leave one colour for these: numbers
// a thousand times as large as 98 % of those that are not zero do not count.
function rangeOf(index) {
  const c = contents[index];
  if (!c.range) {
    const counted = c.kind === "panel" ? entriesOfPanel(c, valuesOf(index)) : Array.from(valuesOf(index));
    const sizes = counted.map(Math.abs).filter(v => v > 0 && Number.isFinite(v)).sort((a, b) => a - b), largest = sizes[sizes.length - 1] || 0;
    const usual = sizes[Math.floor(.98 * (sizes.length - 1))] || 0, limit = largest > 1000 * usual ? usual : c.kind === "panel" ? largest : Infinity;
    c.range = rangeFrom(Math.max(c.min ?? 0, -limit), Math.min(c.max ?? 0, limit));
    c.range.clips = limit < Infinity;
  }
  return c.range;
}
function rangeFrom(lo, hi) {
  const most = Math.max(-lo, hi);
  return lo < 0 && hi > 0 ? {map: "diverging", lo: -most, hi: most} : {map: "viridis", lo, hi};
}
function colourAt(range, v, out, at) {
  const t = range.hi > range.lo ? Math.min(1, Math.max(0, (v - range.lo) / (range.hi - range.lo))) : 0.5;
  const k = 3 * Math.round(255 * t), map = tables[range.map], bad = !Number.isFinite(v);
  out[at] = bad ? 255 : map[k]; out[at + 1] = bad ? 0 : map[k + 1]; out[at + 2] = bad ? 255 : map[k + 2]; out[at + 3] = 255;
}
const gradient = range => { const m = tables[range.map]; return "linear-gradient(90deg," + [0, 51, 102, 153, 204, 255].map(i => `rgb(${m[3 * i]},${m[3 * i + 1]},${m[3 * i + 2]})`).join(",") + ")"; };
// What the pictures need to know of each texel is less than what the pointer does.
const holdsOf = (c, x, y, lane) => ["slots", "slot positions", "packed", "panel"].includes(c.kind) || (["values", "positions", "ranges"].includes(c.kind) ? y * 2 ** c.size[1] + x < c.size[0] : meaningOf(c, x, y, lane).holds);
// Paints a content, a pixel for each number; padding stays transparent.
function paint(canvas, index) {
  const c = contents[index], s = shapeOf(c), range = rangeOf(index), values = valuesOf(index), w = stored(c.width, c.stride), h = s.height / s.rows;
  canvas.width = s.width * s.across;
  canvas.height = s.height * s.down;
  const context = canvas.getContext("2d"), image = context.createImageData(canvas.width, canvas.height);
  let i = 0;
  for (let layer = 0; layer < c.layers; layer++)
    for (let y = 0; y < h; y++)
      for (let x = 0; x < w; x++)
        for (let lane = 0; lane < c.channels; lane++, i++) {
          if (x * s.columns >= s.width || !holdsOf(c, x * c.stride, y * c.stride, lane)) continue;
          const px = x * s.columns + lane % s.columns, down = y * s.rows + Math.floor(lane / s.columns), [left, top] = cornerOf(s, layer);
          colourAt(range, values[i], image.data, 4 * ((top + (s.top ? down : s.height - 1 - down)) * canvas.width + left + px));
        }
  context.putImageData(image, 0, 0);
}
const thumbs = new Map();
function thumbOf(index) {
  if (!thumbs.has(index)) {
    const canvas = document.createElement("canvas");
    paint(canvas, index);
    thumbs.set(index, canvas.toDataURL());
  }
  return thumbs.get(index);
}

// ---- state: the chosen pass, the passes that the filter leaves, the texel under the pointer

let chosen = 0, shown = passes.map((_, i) => i), at = null, timer = 0, figures = [];
let view = [0, shown.length];

function choose(i) {
  if (!passes.length) return;
  chosen = Math.min(Math.max(i, 0), passes.length - 1);
  at = null;
  history.replaceState(null, "", "#" + passes[chosen].number);
  keepInView();
  drawTimeline(); drawGraph(); drawPass();
}
function move(by) {
  const here = shown.indexOf(chosen), from = here >= 0 ? here : shown.findIndex(i => i > chosen) - (by > 0);
  choose(shown[Math.min(Math.max(from + by, 0), shown.length - 1)] ?? chosen);
}
function filterBy(text) {
  $("filter").value = text;
  const words = text.toLowerCase().split(",").map(w => w.trim()).filter(Boolean);
  shown = passes.map((_, i) => i).filter(i => words.every(w => textOf(passes[i]).toLowerCase().includes(w)));
  view = [0, Math.max(shown.length, 1)];
  $("shown").textContent = shown.length === passes.length ? `${passes.length} passes` : `${shown.length} of ${passes.length} passes`;
  if (shown.length && !shown.includes(chosen)) choose(shown[0]);
  else { drawTimeline(); drawGraph(); }
}
function play(on) {
  clearTimeout(timer);
  timer = 0;
  $("play").textContent = on ? "\u25a0 Stop" : "\u25b6 Play";
  if (!on) return;
  if (shown[shown.length - 1] === chosen) choose(shown[0]);
  const tick = () => {
    if (chosen === shown[shown.length - 1]) return play(false);
    move(1);
    timer = setTimeout(tick, Number($("speed").value));
  };
  timer = setTimeout(tick, Number($("speed").value));
}

// ---- timeline: a row for each depth of the call path, a bar for each pass's time

const ROW = 19, BARS = 54;
function keepInView() {
  const k = shown.indexOf(chosen), length = view[1] - view[0];
  if (k >= 0 && (k < view[0] || k >= view[1])) view = [Math.max(0, k - length / 2), Math.max(0, k - length / 2) + length];
}
function drawTimeline() {
  const canvas = $("timeline"), depth = Math.max(1, ...paths.map(p => p.path.length)), width = canvas.clientWidth, height = depth * ROW + ROW + BARS;
  const ratio = devicePixelRatio || 1, style = getComputedStyle(document.documentElement), g = canvas.getContext("2d");
  canvas.style.height = height + "px";
  canvas.width = width * ratio; canvas.height = height * ratio;
  g.scale(ratio, ratio);
  g.font = "11px system-ui, sans-serif";
  g.textBaseline = "middle";
  const step = width / (view[1] - view[0]), first = Math.max(0, Math.floor(view[0])), last = Math.min(shown.length, Math.ceil(view[1]));
  const box = (from, to, row, name, key) => {
    const x = (from - view[0]) * step, w = (to - from) * step;
    g.fillStyle = colourOf(key);
    g.fillRect(x, row * ROW + 1, Math.max(w - (w > 3 ? 1 : 0), .5), ROW - 2);
    if (w > 34) { g.save(); g.beginPath(); g.rect(x, row * ROW, w - 3, ROW); g.clip(); g.fillStyle = isDark() ? "#14171c" : "#fff"; g.fillText(name, Math.max(x, 0) + 4, row * ROW + ROW / 2 + .5); g.restore(); }
  };
  for (let row = 0; row < depth; row++) // neighbours with the same operation are one box
    for (let k = first, from = k; k < last; k = from) {
      const prefix = i => JSON.stringify(pathOf(passes[shown[i]]).slice(0, row + 1)), own = prefix(k), name = pathOf(passes[shown[k]])[row];
      for (from = k + 1; from < last && name && prefix(from) === own && pathOf(passes[shown[from]]).length > row; from++);
      if (name) box(k, from, row, stepText(name), name[0]);
    }
  const slowest = Math.max(1e-9, ...shown.slice(first, last).map(i => passes[i].seconds)), fastest = 1e-7;
  for (let k = first; k < last; k++) {
    const pass = passes[shown[k]], share = pass.seconds > 0 ? Math.max(.04, Math.log(pass.seconds / fastest) / Math.log(slowest / fastest)) : .02;
    box(k, k + 1, depth, pass.kernel, pass.kernel);
    g.fillStyle = colourOf(pass.kernel);
    g.fillRect((k - view[0]) * step, height - share * (BARS - 8), Math.max(step - (step > 3 ? 1 : 0), .5), share * (BARS - 8));
  }
  g.fillStyle = style.getPropertyValue("--soft");
  $("longest").textContent = `lowest row: time of each pass, logarithmic; the longest ${seconds(slowest)}`;
  const k = shown.indexOf(chosen);
  if (k >= 0) {
    g.strokeStyle = style.getPropertyValue("--mark"); g.lineWidth = 2;
    g.strokeRect((k - view[0]) * step - .5, 1, Math.max(step, 3), height - 2);
  }
}
function zoom(factor, around) {
  const length = Math.min(shown.length, Math.max(8, (view[1] - view[0]) * factor)), share = (around - view[0]) / (view[1] - view[0]);
  const from = Math.min(Math.max(0, around - share * length), shown.length - length);
  view = [from, from + length];
  drawTimeline();
}
$("timeline").addEventListener("click", e => choose(shown[Math.floor(view[0] + e.offsetX / $("timeline").clientWidth * (view[1] - view[0]))] ?? chosen));
$("timeline").addEventListener("wheel", e => { e.preventDefault(); zoom(e.deltaY > 0 ? 1.25 : .8, view[0] + e.offsetX / $("timeline").clientWidth * (view[1] - view[0])); }, {passive: false});
$("timeline").addEventListener("mousemove", e => {
  const pass = passes[shown[Math.floor(view[0] + e.offsetX / $("timeline").clientWidth * (view[1] - view[0]))]];
  $("timeline").title = pass ? `${pass.number}: ${pass.kernel}, ${seconds(pass.seconds)}\n${pathOf(pass).map(stepText).join(" > ")}` : "";
});

// ---- operators

function drawOperators() {
  const rows = new Map();
  for (const pass of passes) {
    const key = callOf(pass) + " > " + pass.kernel, row = rows.get(key) || {call: callOf(pass), kernel: pass.kernel, count: 0, seconds: 0};
    row.count++;
    row.seconds += Math.max(pass.seconds, 0);
    rows.set(key, row);
  }
  const all = [...rows.values()].sort((a, b) => b.seconds - a.seconds), total = all.reduce((s, r) => s + r.seconds, 0) || 1;
  $("operators").querySelector("table").replaceChildren(
    element("tr", {}, ...["operator", "kernel", "passes", "time", "share"].map(t => element("th", {scope: "col"}, t))),
    ...all.map(r => element("tr", {}, element("td", {}, element("button", {type: "button", click: () => filterBy(r.call)}, r.call)),
      element("td", {}, element("button", {type: "button", click: () => filterBy(r.kernel)}, r.kernel)), element("td", {}, String(r.count)), element("td", {}, seconds(r.seconds)),
      element("td", {}, element("span", {class: "share", style: `width:${5 * r.seconds / total}rem;background:${colourOf(r.kernel)}`}), ` ${short(100 * r.seconds / total)} %`))));
}

// ---- data flow: a lane for each kernel, a node for each pass, an edge for each texture that one left to another

const COLUMN = 84, LANE = 62, LABEL = 130;
// The number that a content is, one texel or one value everywhere; a picture would be one colour.
function onlyNumber(content) {
  const c = contents[content];
  if (c.nan && c.nan === c.count) return "NaN";
  return c.min !== undefined && c.min === c.max && !c.nan && !c.inf ? short(c.min) : null;
}
function thumbNode(content, x, y) {
  const only = onlyNumber(content), c = contents[content];
  if (only !== null) return svg("text", {class: "only", x, y: y - 2, "text-anchor": "middle"}, only);
  return svg("image", {href: thumbOf(content), x: x - 28, y: y - 18, width: 56, height: 24, preserveAspectRatio: c.height > 1 && c.width > 1 ? "xMidYMid meet" : "none"});
}
function drawGraph() {
  const here = Math.max(shown.indexOf(chosen), 0), many = Math.max(3, Math.floor(($("graph").clientWidth - LABEL) / COLUMN));
  const from = Math.max(0, Math.min(here - Math.floor(many / 2), shown.length - many)), list = shown.slice(from, from + many);
  const lanes = ["host", ...new Set(list.map(i => passes[i].kernel))], laneOf = name => lanes.indexOf(name) * LANE + LANE / 2;
  const columnOf = new Map(list.map((i, k) => [i, LABEL + k * COLUMN + COLUMN / 2])), width = LABEL + list.length * COLUMN, height = lanes.length * LANE;
  const back = [], faint = [], strong = [], nodes = [];
  lanes.forEach(name => back.push(svg("line", {class: "lane", x1: 0, x2: width, y1: laneOf(name), y2: laneOf(name)}), svg("text", {x: 6, y: laneOf(name) - 5}, name.length > 19 ? name.slice(0, 18) + "\u2026" : name)));
  const edge = (content, i, before) => {
    if (content < 0) return;
    const p = producer(content), x2 = columnOf.get(i), y2 = laneOf(passes[i].kernel), known = columnOf.has(p);
    const x1 = known ? columnOf.get(p) : p >= 0 ? LABEL - 12 : x2 - 34, y1 = known ? laneOf(passes[p].kernel) : p >= 0 ? laneOf(passes[p].kernel) < 0 ? y2 : laneOf(passes[p].kernel) : laneOf("host");
    const bend = Math.max(18, Math.abs(x2 - x1) / 2), kind = i === chosen ? "in" : p === chosen ? "out" : "";
    (kind ? strong : faint).push(svg("path", {class: `edge ${kind} ${before ? "before" : ""}`, d: `M${x1 + (known ? 31 : 0)} ${y1} C${x1 + 31 + bend / 2} ${y1} ${x2 - 31 - bend / 2} ${y2} ${x2 - 31} ${y2}`}));
  };
  for (const i of list) {
    const pass = passes[i], x = columnOf.get(i), y = laneOf(pass.kernel), target = pass.targets.find(t => t.content >= 0);
    pass.sources.forEach(s => edge(s.content, i));
    pass.targets.forEach(t => t.before >= 0 && edge(t.before, i, true));
    const node = svg("g", {class: "node" + (i === chosen ? " chosen" : ""), role: "button", "aria-label": `pass ${pass.number}: ${pass.kernel}`, click: () => choose(i)},
      svg("title", {}, `${pass.number}: ${pass.kernel}\n${pathOf(pass).map(stepText).join(" > ")}`), svg("rect", {x: x - 31, y: y - 21, width: 62, height: 42, rx: 4}));
    if (target) node.append(thumbNode(target.content, x, y));
    node.append(svg("text", {x, y: y + 18, "text-anchor": "middle"}, String(pass.number)));
    nodes.push(node);
  }
  const picture = svg("svg", {width, height, viewBox: `0 0 ${width} ${height}`}, ...back, ...faint, ...strong, ...nodes);
  $("graph").replaceChildren(picture);
}

// ---- the pass

function drawPass() {
  const pass = passes[chosen], path = pathOf(pass);
  $("path").replaceChildren(...path.flatMap((step, k) => [k ? "\u203a" : "", element("button", {type: "button", title: "show only these", click: () => filterBy(stepText(step))}, stepText(step))]));
  $("title").textContent = isHost(pass) ? `Step ${pass.number}, by the host: ${pass.kernel}` : `Pass ${pass.number}: ${pass.kernel}`;
  $("says").textContent = formulaOf(pass);
  $("says").className = "";
  figures = [];
  const order = pass.sources.map((_, k) => k).sort((a, b) => (usageOf(pass, a) === "none") - (usageOf(pass, b) === "none"));
  $("sources").replaceChildren(...order.map(k => figure(pass.sources[k].name, pass.sources[k].content, {source: k, usage: usageOf(pass, k)})));
  if (!pass.sources.length) $("sources").replaceChildren(element("p", {class: "soft"}, "no sources"));
  $("targets").replaceChildren(...pass.targets.map((t, k) => figure(outputsOf(pass)[k], t.content, {target: k, before: t.before})));
  const shape = isHost(pass) ? "none: the host computes" : pass.shape === "rectangle" ? `rectangle ${pass.rect[2]} \u00d7 ${pass.rect[3]} texels at (${pass.rect[0]}, ${pass.rect[1]})` : `${pass.shape}${pass.vertices ? ", " + pass.vertices + " vertices" : ""}`;
  const facts = {"shape drawn": shape};
  if (!isHost(pass)) Object.assign(facts, {"blending": pass.blend ? "result is added to the target" : "none", "draw calls": pass.draws});
  facts[isHost(pass) ? "time of the host" : "time on the device"] = seconds(pass.seconds);
  facts.written = bytes(pass.targets.reduce((s, t) => s + t.bytes, 0));
  for (const [key, text] of [["reads", "fetches of a fragment"], ["points", "fetches of a vertex"], ["triangle", "fetches for the triangle"]]) if (pass[key] >= 0) facts[text] = `at most ${reads[pass[key]].most}`;
  if (!isHost(pass) && !(pass.reads >= 0) && !(pass.points >= 0)) facts["fetches"] = "not looked at";
  facts["called by"] = path.map(stepText).join(" \u203a ");
  $("facts").replaceChildren(...Object.entries(facts).flatMap(([k, v]) => [element("dt", {}, k), element("dd", {}, String(v))]));
  $("uniforms").replaceChildren(...pass.uniforms.map(u => element("tr", {}, element("td", {class: "mono"}, u.name),
    element("td", {class: "mono"}, u.value.length > u.width ? `${u.value.length / u.width} vec4: ` + u.value.slice(0, 16).map(number).join(", ") + (u.value.length > 16 ? ", \u2026" : "") : u.value.map(number).join(", ")))));
  if (!pass.uniforms.length) $("uniforms").replaceChildren(element("tr", {}, element("td", {class: "soft"}, "none")));
  drawStages();
  drawTexel();
}
// A texture: picture, range, histogram, and where it came from.
function figure(name, content, kind) {
  if (content < 0) return element("figure", {}, element("figcaption", {}, element("b", {}, name)), element("p", {class: "note"}, kind.usage === "block" ? "filled by a pass that was not chosen" : "not stored: the trace had reached its size"));
  const c = contents[content], s = shapeOf(c), range = rangeOf(content), canvas = element("canvas", {tabindex: 0, role: "img", "aria-label": `${name}: ${sizeText(c)}, ${number(c.min ?? NaN)} to ${number(c.max ?? NaN)}`});
  paint(canvas, content);
  const room = (kind.source !== undefined ? passes[chosen].sources.length > 3 : passes[chosen].targets.length > 1) ? 180 : 300, w = s.width * s.across, h = s.height * s.down;
  let zoomed = Math.min(room / w, room / h);
  zoomed = zoomed > 1 ? Math.floor(Math.min(zoomed, 32)) : zoomed;
  const wide = Math.max(w * zoomed, Math.min(28, room));
  canvas.style.width = wide + "px"; /* in a narrow window less: the height follows */
  canvas.style.aspectRatio = `${wide} / ${Math.max(h * zoomed, Math.min(6 * h, 120), 26)}`;
  const overlay = svg("svg", {viewBox: `0 0 ${w} ${h}`, preserveAspectRatio: "none"});
  const me = {name, content, kind, overlay, canvas};
  figures.push(me);
  const texelAt = (px, py) => { // of a pixel of the picture
    const layer = s.across > 1 ? Math.floor(px / s.width) : Math.floor(py / s.height), [left, top] = cornerOf(s, layer);
    const lx = px - left, down = s.top ? py - top : s.height - 1 - (py - top);
    return {figure: me, layer, x: Math.floor(lx / s.columns) * c.stride, y: Math.floor(down / s.rows) * c.stride, lane: down % s.rows * s.columns + lx % s.columns};
  };
  canvas.addEventListener("mousemove", e => { at = texelAt(Math.min(w - 1, Math.max(0, Math.floor(e.offsetX / canvas.clientWidth * w))), Math.min(h - 1, Math.max(0, Math.floor(e.offsetY / canvas.clientHeight * h)))); drawTexel(); });
  canvas.addEventListener("focus", () => { if (at?.figure !== me) { at = texelAt(0, s.top ? 0 : s.height - 1); drawTexel(); } });
  canvas.addEventListener("keydown", e => {
    const d = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, s.top ? -1 : 1], ArrowDown: [0, s.top ? 1 : -1]}[e.key];
    if (e.key === "Escape") { canvas.blur(); at = null; drawTexel(); }
    if (!d || at?.figure !== me) return;
    e.preventDefault(); e.stopPropagation();
    const last = (size, stride) => (stored(size, stride) - 1) * stride;
    at = {...at, x: Math.min(Math.max(at.x + d[0] * c.stride, 0), last(c.width, c.stride)), y: Math.min(Math.max(at.y + d[1] * c.stride, 0), last(c.height, c.stride))};
    drawTexel();
  });
  const p = producer(content), most = Math.max(1, ...(c.bins || [1])), label = kindText(c);
  const origin = kind.target !== undefined ? kind.before >= 0 ? element("span", {}, "drawn over what was there") : "" : p >= 0 ? element("button", {type: "button", click: () => choose(p)}, `from pass ${passes[p].number}, ${passes[p].kernel}`) : meta.chosen < meta.passes ? "from the host or a pass that was not chosen" : "from the host";
  const users = kind.target !== undefined ? consumers[content] : [];
  const used = users.length ? [element("br"), "read by ", ...users.slice(0, 4).flatMap((i, k) => [k ? ", " : "", element("button", {type: "button", click: () => choose(i)}, `pass ${passes[i].number}`)]), users.length > 4 ? ` and ${users.length - 4} more` : ""] : [];
  const how = {host: ", read back by the host", block: ", copied into uniform blocks", vertex: ", read by vertices", triangle: ", read once for the triangle", none: ", bound, but not read by this variant of the shader"}[kind.usage] || "";
  return element("figure", {class: kind.usage === "none" ? "unread" : "", "data-content": content, "data-name": name},
    element("figcaption", {}, element("b", {}, name), element("span", {class: "note"}, label),
      element("button", {type: "button", title: "save this picture as PNG", click: () => save(canvas, `pass-${passes[chosen].number}-${name.replace(/\W/g, "-")}.png`)}, "PNG")),
    element("div", {class: "picture"}, canvas, overlay),
    c.width * c.height * c.layers * c.channels === 1 ? element("b", {class: "one"}, number(valuesOf(content)[0])) : null,
    element("div", {class: "scale"}, element("span", {}, (range.clips ? "\u2264 " : "") + short(range.lo)), element("i", {style: "background:" + gradient(range)}), element("span", {}, (range.clips ? "\u2265 " : "") + short(range.hi))),
    element("div", {class: "bins", title: `histogram of ${c.count} numbers from ${short(c.min)} to ${short(c.max)}; mean ${short(c.mean)}, ${c.zero} zeros`}, ...(c.bins || []).map(b => element("i", {style: `height:${b ? Math.max(6, 100 * Math.sqrt(b / most)) : 0}%`}))),
    element("div", {class: "note"}, sizeText(c) + (c.stride > 1 ? `, every ${c.stride}${["nd", "rd"][c.stride - 2] || "th"} texel` : "") + (c.nan ? `, ${c.nan} NaN` : "") + (c.inf ? `, ${c.inf} infinite` : "") + how, ...(origin ? [element("br"), origin] : []), ...used));
}
function save(canvas, name) {
  const large = document.createElement("canvas"), scale = Math.max(1, Math.floor(512 / Math.max(canvas.width, canvas.height)));
  large.width = canvas.width * scale; large.height = canvas.height * scale;
  const g = large.getContext("2d");
  g.imageSmoothingEnabled = false;
  g.drawImage(canvas, 0, 0, large.width, large.height);
  element("a", {href: large.toDataURL(), download: name}).click();
}

// ---- the texel under the pointer: its values, what they are, and the texels that they were computed from

// Which texels each fragment, vertex or triangle has read, as the device has noted them: {source, x, y, layer} of number k in a list of reads.
const noted = new Map();
function placesOf(index) {
  if (!noted.has(index)) noted.set(index, new Int16Array(bytesOf(reads[index].values)));
  return noted.get(index);
}
function fetchesOf(index, k) {
  const r = reads[index], values = placesOf(index), list = [];
  for (let n = 0; n < r.stored; n++) {
    const at = 4 * (n * r.width * r.height + k);
    if (values[at]) list.push({source: values[at] - 1, x: values[at + 1], y: values[at + 2], layer: values[at + 3]});
  }
  return list;
}
// Of the fragment of a texel of the targets; null: not known.
function readsOf(pass, x, y) {
  if (!(pass.reads >= 0)) return null;
  const [x0, y0, w, h] = pass.rect;
  return x < x0 || y < y0 || x >= x0 + w || y >= y0 + h ? [] : fetchesOf(pass.reads, (y - y0) * w + x - x0);
}
// The points that were drawn at a texel; null: not known, or the vertices are those of triangles.
function pointsOn(pass, x, y) {
  const r = reads[pass.points];
  if (!r?.drawn) return null;
  r.on ||= new Int16Array(bytesOf(r.drawn));
  return Array.from({length: pass.vertices}, (_, k) => k).filter(k => r.on[2 * k] === x && r.on[2 * k + 1] === y);
}
// What all vertices of triangles have read together, each texel once.
function sharedReads(index) {
  const seen = new Map(), r = reads[index];
  for (let k = 0; k < r.width * r.height; k++) for (const f of fetchesOf(index, k)) seen.set(`${f.source} ${f.layer} ${f.x} ${f.y}`, f);
  return [...seen.values()];
}
// The texels of the source of uniform blocks that the draw for this texel has seen, one after the other.
function blockOf(pass, x) {
  const {count, first, texels} = pass.blocks, c = contents[pass.sources[pass.sources.length - 1].content];
  const from = first + texels * Math.floor((x - pass.rect[0]) / (pass.rect[2] / count));
  return Array.from({length: c ? texels : 0}, (_, k) => ({source: pass.sources.length - 1, x: (from + k) % c.width, y: Math.floor((from + k) / c.width), layer: 0})).filter(f => f.y < c.height);
}
function mark(me, x, y, layer, kind, side = 1) {
  const c = contents[me.content], s = shapeOf(c), [left, top] = cornerOf(s, layer), tx = left + Math.floor(x / c.stride) * s.columns, ty = Math.floor(y / c.stride) * s.rows;
  const place = {x: tx, y: top + (s.top ? ty : s.height - side * s.rows - ty), width: side * s.columns, height: side * s.rows};
  me.overlay.prepend(svg("rect", {class: "under", ...place}));
  me.overlay.append(svg("rect", {class: kind, ...place}));
}
function drawTexel() {
  figures.forEach(f => f.overlay.replaceChildren());
  if (!at) {
    $("texel").replaceChildren(element("p", {class: "soft"}, "Move over a picture to read a texel, the numbers in it, and where they came from."));
    return;
  }
  const {figure: me, layer, x, y, lane} = at, c = contents[me.content], values = texelOf(me.content, layer, x, y), pass = passes[chosen];
  const names = c.channels > 1 ? ["x", "y", "z", "w"] : ["x"];
  mark(me, x, y, layer, "cursor");
  const table = element("table", {}, ...values.map((v, k) => {
    const m = meaningOf(c, x, y, k, layer);
    return element("tr", {class: k === lane ? "here" : ""}, element("td", {class: "lane"}, "." + names[k]), element("td", {class: "number"}, number(v)), element("td", {}, m.holds ? m.text : "padding"));
  }));
  const parts = [element("div", {}, element("b", {}, `${me.name}: texel (${x}, ${y})${c.layers > 1 ? ", layer " + layer : ""}`), table)];
  if (me.kind.target !== undefined) parts.push(...cameFrom(pass, x, y));
  else parts.push(...wentTo(pass, me.kind.source, x, y, layer));
  $("texel").replaceChildren(...parts);
}
// What the numbers of a texel are, in short: those of its first lane, and of its last one.
function texelText(c, x, y, layer) {
  const held = Array.from({length: c.channels}, (_, k) => meaningOf(c, x, y, k, layer)).filter(m => m.holds && m.text).map(m => m.text);
  return held.length > 1 ? `${held[0]} \u2026` : held[0] || "";
}
function rowsOf(pass, list, most = 300) {
  const rows = [];
  for (const r of list.slice(0, most)) {
    const source = pass.sources[r.source], me = figures.find(f => f.kind.source === r.source);
    if (!source || !me) continue;
    const c = contents[source.content], four = source.sampling === "bilinear", inside = r.x >= 0 && r.y >= 0 && r.x < c.width && r.y < c.height;
    if (inside) mark(me, r.x, r.y, r.layer, "read", four ? 2 : 1);
    rows.push(element("tr", {}, element("td", {class: "lane"}, source.name), element("td", {}, `(${r.x}, ${r.y})${c.layers > 1 ? ` of layer ${r.layer}` : ""}${four ? " and three beside it" : ""}`), ...(inside ? texelOf(source.content, r.layer, r.x, r.y).map(v => element("td", {class: "number"}, (c.stride > 1 ? "\u2248" : "") + short(v))) : [element("td", {class: "soft"}, "outside")]), element("td", {class: "soft"}, inside ? texelText(c, r.x, r.y, r.layer) : "")));
  }
  return rows;
}
const inTexels = n => `${n} texel${n === 1 ? "" : "s"}`;
const cut = (index, list) => isCut(index) && list.length >= reads[index].stored ? ` and more (the first ${reads[index].stored} of up to ${reads[index].most} are noted)` : "";
const listed = (title, ...rows) => element("div", {class: "from"}, element("b", {}, title), element("table", {}, ...rows));
// A point's matrix entries are in its vertex: what the vertex shader's inputs hold.
function inputsOf(pass, k) {
  const r = reads[pass.points], names = [...shaders[pass.shader].vertex.text.matchAll(/layout\(location = \d\) in (?:vec(\d)|float) (\w+)/g)].map(m => [m[2], Number(m[1] || 1)]);
  if (!r.inputs) return "";
  r.floats ||= new Float32Array(bytesOf(r.inputs));
  let at = k * names.reduce((sum, [, n]) => sum + n, 0);
  return names.map(([name, n]) => `${name} ${Array.from(r.floats.subarray(at, at += n)).map(short).join(", ")}`).join("; ");
}
function cameFrom(pass, x, y) {
  if (isHost(pass)) return [element("div", {class: "soft"}, "The host has computed it, from all that it read back.")];
  const list = readsOf(pass, x, y), parts = [], points = pointsOn(pass, x, y);
  if (points) parts.push(listed(`${points.length} point${points.length === 1 ? " was" : "s were"} drawn here`, ...points.flatMap(k => [element("tr", {}, element("td", {colspan: 7, class: "soft"}, `point ${k}: ${inputsOf(pass, k)}`)), ...rowsOf(pass, fetchesOf(pass.points, k))])));
  const scalars = pass.sources.filter(s => s.sampling === "vertex" && s.content >= 0).map(s => element("tr", {}, element("td", {class: "lane"}, s.name), element("td", {}, "once per vertex"), element("td", {class: "number"}, texelOf(s.content, 0, 0, 0).map(number).join("  "))));
  if (list) parts.push(listed(`its fragment read ${inTexels(list.length)}${cut(pass.reads, list)}`, ...rowsOf(pass, list), ...scalars));
  if (pass.blocks) { const block = blockOf(pass, x); parts.push(listed(`its draw had ${inTexels(block.length)} as a uniform block`, ...rowsOf(pass, block, 64))); }
  for (const [key, who] of [["points", "the vertices"], ["triangle", "the triangle"]]) {
    if (!(pass[key] >= 0) || key === "points" && points) continue;
    const shared = sharedReads(pass[key]);
    parts.push(listed(`${who} read ${inTexels(shared.length)}, for all fragments${cut(pass[key], shared)}`, ...rowsOf(pass, shared, 64)));
  }
  return parts.length ? parts : [element("div", {class: "soft"}, "Which texels it was computed from was not noted.")];
}
function wentTo(pass, source, x, y, layer) {
  const [x0, y0, w, h] = pass.rect, target = figures.filter(f => f.kind.target !== undefined), here = r => r.source === source && r.x === x && r.y === y && r.layer === layer;
  if (isHost(pass)) return [listed("read back by the host")];
  const reach = new Map();
  if (pass.reads >= 0)
    for (let ty = y0; ty < y0 + h; ty++)
      for (let tx = x0; tx < x0 + w; tx++)
        if (readsOf(pass, tx, ty).some(here)) reach.set(`${tx} ${ty}`, [tx, ty]);
  const r = reads[pass.points], drawn = r?.drawn, on = drawn ? r.on ||= new Int16Array(bytesOf(drawn)) : null;
  for (let k = 0; drawn && k < pass.vertices; k++) if (fetchesOf(pass.points, k).some(here)) reach.set(`${on[2 * k]} ${on[2 * k + 1]}`, [on[2 * k], on[2 * k + 1]]);
  if (pass.sources[source].sampling === "block") for (let k = 0, step = w / pass.blocks.count; k < pass.blocks.count; k++) if (blockOf(pass, x0 + k * step).some(here)) for (let ty = y0; ty < y0 + h; ty++) for (let tx = x0 + k * step; tx < x0 + (k + 1) * step; tx++) reach.set(`${tx} ${ty}`, [tx, ty]);
  [...reach.values()].slice(0, 400).forEach(([tx, ty]) => target.forEach(f => mark(f, tx, ty, 0, "read")));
  const shared = pass.sources[source].sampling === "vertex" || !drawn && pass.points >= 0 && sharedReads(pass.points).some(here) || pass.triangle >= 0 && sharedReads(pass.triangle).some(here);
  if (!reach.size && !shared && !(pass.reads >= 0) && !drawn) return [];
  return [listed((shared ? "read once for the whole pass" : "") + (shared && reach.size ? "; " : "") + (reach.size || !shared ? `read for ${inTexels(reach.size)} of the result` : ""))];
}

// ---- shaders, as they were compiled: files with their lines

function shaderLines(stage) {
  const out = [];
  let file = 0, line = 1;
  for (const text of stage.text.split("\n")) {
    const m = /^#line (\d+)$/.exec(text);
    if (m) { file = Math.floor(m[1] / meta.lines); line = m[1] % meta.lines; } else out.push({file: stage.files[file] || "", line: line++, text});
  }
  while (out.length && !out[out.length - 1].text) out.pop();
  return out;
}
function highlight(text) {
  const parts = [], pattern = /(\/\/.*$)|(^\s*#.*$)|\b(void|float|int|bool|vec[234]|ivec[234]|bvec[234]|uvec[234]|mat[234]|sampler2D|isampler2D|sampler2DArray|uniform|in|out|inout|flat|noperspective|invariant|const|struct|layout|if|else|for|while|do|return|break|continue|discard|true|false)\b|\b(\d+\.?\d*(?:e[+-]?\d+)?u?|\.\d+)\b/g;
  let end = 0;
  for (const m of text.matchAll(pattern)) {
    parts.push(text.slice(end, m.index), element("span", {class: m[1] ? "comment" : m[2] ? "directive" : m[3] ? "key" : "digits"}, m[0]));
    end = m.index + m[0].length;
  }
  parts.push(text.slice(end));
  return parts;
}
let stageShown = "fragment";
function drawStages() {
  $("shader").hidden = isHost(passes[chosen]);
  if (isHost(passes[chosen])) return;
  const shader = shaders[passes[chosen].shader], stages = ["fragment", "geometry", "vertex"].filter(s => shader[s]);
  if (!stages.includes(stageShown)) stageShown = "fragment";
  $("stages").replaceChildren(...stages.map(s => element("button", {type: "button", role: "tab", "aria-selected": s === stageShown, click: () => { stageShown = s; drawStages(); }}, `${s}: ${shader[s].name}`)));
  const runs = [];
  for (const l of shaderLines(shader[stageShown])) {
    if (!runs.length || runs[runs.length - 1].file !== l.file || l.line < runs[runs.length - 1].next) runs.push({file: l.file, lines: [], next: 0});
    runs[runs.length - 1].lines.push(l);
    runs[runs.length - 1].next = l.line;
  }
  $("code").replaceChildren(...runs.filter(r => r.lines.some(l => l.text.trim())).map(r => element("details", {open: !r.file.startsWith("include/")}, element("summary", {}, r.file),
    element("ol", {start: r.lines[0].line}, ...r.lines.map(l => element("li", {value: l.line}, ...highlight(l.text)))))));
}

// ---- page

const root = document.documentElement;
function isDark() { return root.dataset.theme === "dark"; }
function setTheme(dark) {
  root.dataset.theme = dark ? "dark" : "light";
  $("theme").textContent = dark ? "Light" : "Dark";
  $("theme").setAttribute("aria-pressed", dark);
}
function toggleTheme() { setTheme(!isDark()); drawTimeline(); drawOperators(); drawGraph(); }

setTheme(matchMedia("(prefers-color-scheme: dark)").matches);
$("theme").addEventListener("click", toggleTheme);
$("play").addEventListener("click", () => play(!timer));
$("says").addEventListener("click", () => $("says").classList.toggle("all"));
$("back").addEventListener("click", () => move(-1));
$("next").addEventListener("click", () => move(1));
$("filter").addEventListener("input", e => filterBy(e.target.value));
addEventListener("resize", () => { drawTimeline(); drawGraph(); });
addEventListener("hashchange", () => { const i = placeOf.get(Number(location.hash.slice(1))); if (i !== undefined && i !== chosen) choose(i); });
addEventListener("keydown", e => {
  if (e.target.matches?.("input, select, summary") || e.ctrlKey || e.metaKey || e.altKey) { if (e.key === "Escape") e.target.blur(); return; }
  const step = e.shiftKey ? 10 : 1, act = {ArrowLeft: () => move(-step), ArrowRight: () => move(step), Home: () => choose(shown[0]), End: () => choose(shown[shown.length - 1]), "/": () => $("filter").focus(), d: toggleTheme, D: toggleTheme}[e.key];
  if (e.key === " " && !e.target.matches?.("button")) { e.preventDefault(); play(!timer); }
  if (act) { e.preventDefault(); act(); }
});

document.title = "texla trace: " + meta.command;
$("command").textContent = meta.command;
const hosts = passes.filter(isHost).length;
$("about").textContent = `${meta.recorded - hosts} passes${hosts ? ` and ${hosts} step${hosts > 1 ? "s" : ""} of the host` : ""} on ${meta.device}, texla ${meta.texla}, ${meta.date}. Values are single precision as the device holds them.`;
const left = [];
if (meta.chosen < meta.passes) left.push(`${meta.passes - meta.chosen} of ${meta.passes} passes were not chosen.`);
if (meta.recorded < meta.chosen) left.push(`${meta.chosen - meta.recorded} passes are missing: the trace had reached its ${meta.megabytes} MiB.`);
if (meta.pictured < meta.recorded) left.push(`${meta.recorded - meta.pictured} passes have no pictures: the trace had reached its ${meta.megabytes} MiB.`);
if (meta.pictured < meta.chosen) left.push(`Choose fewer of them, or a larger size (--trace-choose size=${4 * meta.megabytes}).`);
$("missing").textContent = left.join(" ");
$("missing").hidden = !left.length;
filterBy("");
drawOperators();
if (passes.length) choose(placeOf.get(Number(location.hash.slice(1))) ?? 0);
else $("pass").replaceChildren(element("p", {}, "No pass was recorded."));
