// What a reader does with the page, and whether it shows what was downloaded. `expected` stands before: what test_page.c downloaded.
const said = [], check = (what, good) => said.push((good ? "good: " : "BAD: ") + what);
addEventListener("error", e => document.body.replaceChildren([...said, "BAD: " + e.message].join("\n") + "\n"));
const press = (key, target = document) => target.dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true}));
const title = () => $("title").textContent;
const open = kernel => { filterBy(kernel); choose(shown[0]); };
// Moves the pointer over number k of a picture, counted as its rows lie, and returns what is said of it.
function hover(name, column, row) {
  const figure = figures.find(f => f.name === name || f.kind[name] === 0), box = figure.canvas;
  const x = (column + .5) / box.width * box.clientWidth, y = (row + .5) / box.height * box.clientHeight, event = new MouseEvent("mousemove", {bubbles: true});
  Object.defineProperties(event, {offsetX: {value: x}, offsetY: {value: y}});
  box.dispatchEvent(event);
  const cells = [...document.querySelectorAll("#texel .here td")].map(td => td.textContent);
  return {value: Math.fround(Number(cells[1])), text: cells[2]};
}
const equal = (a, b) => a === Math.fround(b);

check("passes " + passes.length, passes.length === expected.passes && $("shown").textContent === passes.length + " passes");
check("no scripts or styles of others", !document.querySelector("[src], link[href]"));
const first = title();
$("next").click();
check("next " + title(), title() !== first);
press("ArrowLeft");
check("left arrow " + title(), title() === first);
press("End");
check("end", chosen === passes.length - 1 && document.querySelector("#graph .chosen"));

// y = A x on a grid: each number, its element, and a sum of the five that it was computed from.
open("banded");
check("path " + $("path").textContent, $("path").textContent === "my work\u203aiteration 7\u203aclMatrixMulVector");
check("formula", $("says").textContent.startsWith("y <- ca op(A) x"));
let wrong = 0, sums = 0;
for (let i = 0; i < expected.y.length; i++) {
  const column = i % expected.nx, row = Math.floor(i / expected.nx), seen = hover("target", column, expected.ny - 1 - row);
  wrong += !equal(seen.value, expected.y[i]) || seen.text !== `element ${i} at column ${column}, row ${row}`;
  const list = readsOf(passes[chosen], Math.floor(column / 4), row) || [], x = passes[chosen].sources.findIndex(s => s.name === "x"), entry = (c, r) =>
    list.some(t => t.source === x && t.x === Math.floor(c / 4) && t.y === r) ? texelOf(passes[chosen].sources[x].content, 0, Math.floor(c / 4), r)[c % 4] : 0;
  const around = [[0, 0, 4], [1, 0, -1], [-1, 0, -1], [0, 1, -1], [0, -1, -1]].map(([dc, dr, f]) => { const c = column + dc, r = row + dr; return c < 0 || r < 0 || c >= expected.nx || r >= expected.ny ? 0 : f * entry(c, r); });
  sums += Math.abs(around.reduce((s, v) => s + v) - expected.y[i]) > 1e-5;
}
check(`${wrong} numbers of a product are wrong`, wrong === 0);
check(`${sums} numbers are not what the texels that were read give`, sums === 0);
check("came from", /its fragment read \d+ texels/.test($("texel").textContent) && document.querySelectorAll("#sources .read").length > 0);
hover("x", 0, expected.ny - 1);
check("went to " + $("texel").textContent, /read for \d+ texels? of the result/.test($("texel").textContent) && document.querySelectorAll("#targets .read").length > 0);

// A reduction: its one number, and as many texels as x has.
open("reduce_final");
check("dot product", equal(hover("target", 0, 0).value, expected.dot));
const only = document.querySelector("#graph .chosen .only");
check("one number instead of a picture: " + only?.textContent, only && Math.abs(Number(only.textContent) - expected.dot) <= 1e-3 * Math.abs(expected.dot));
const texels = Math.ceil(expected.nx / 4) * expected.ny, all = new Set(readsOf(passes[chosen], 0, 0).filter(r => r.source === 0).map(r => r.x + " " + r.y));
check(`a reduction reads ${all.size} of ${texels} texels`, all.size === texels);

// C = A B: entries of matrices; row i of A and column j of B.
filterBy("clDenseMultiply");
choose(shown[shown.length - 1]);
wrong = 0;
for (let i = 0; i < expected.rows; i++)
  for (let j = 0; j < expected.cols; j++) {
    const seen = hover("target", j, i);
    wrong += !equal(seen.value, expected.C[i * expected.cols + j]) || seen.text !== `entry (${i}, ${j})`;
  }
check(`${wrong} entries of a matrix are wrong`, wrong === 0);

// Every entry of a sparse matrix is in the texels that are said to hold it, and no other one.
const entryAt = (i, j) => expected.S[i * expected.order + j], entries = expected.S.filter(Boolean).length;
function entriesIn(content, name) {
  const c = contents[content], seen = new Map();
  let bad = 0;
  for (let layer = 0; layer < c.layers; layer++)
    for (let y = 0; y < c.height; y++)
      for (let x = 0; x < c.width; x++)
        texelOf(content, layer, x, y).forEach((v, lane) => {
          const meaning = meaningOf(c, x, y, lane, layer), m = /^entry \((\d+), (\d+)\)/.exec(meaning.text || "");
          if (!m || !meaning.holds) return;
          seen.set(m[1] + " " + m[2], v);
          bad += !equal(v, entryAt(Number(m[1]), Number(m[2])));
        });
  return {bad, count: seen.size};
}
const sourceOf = name => passes[chosen].sources.find(s => s.name === name).content;
for (const kernel of ["csr", "slots"]) {
  open(kernel);
  const found = entriesIn(sourceOf("value"));
  check(`${kernel}: ${found.count} of ${entries} entries are said, ${found.bad} of them wrong`, found.count === entries && !found.bad);
  hover("value", 0, figures.find(f => f.name === "value").canvas.height - 1);
  check(`${kernel}: ${$("texel").textContent}`, /entry \(0, 0\)/.test($("texel").textContent) && /read for 1 texel of/.test($("texel").textContent));
}
// Points: what fell on a texel gives its numbers.
const sums_of_points = expected.Sx.map(() => 0);
for (const pass of passes.filter(p => p.kernel === "points")) { // all at once, or one of each row after the other
  const target = contents[pass.targets[0].content], x = pass.sources[0].content;
  choose(passes.indexOf(pass));
  for (let i = 0; i < expected.order; i++)
    for (const k of pointsOn(pass, target.kind === "unpacked" ? i : Math.floor(i / 4), 0)) {
      const [, value, element] = /value (.*); element (\d+), 0$/.exec(inputsOf(pass, k));
      if (Number(element) === i) sums_of_points[i] += fetchesOf(pass.points, k).reduce((t, f, n) => t + Number(value.split(", ")[n]) * texelOf(x, 0, f.x, f.y)[0], 0);
    }
}
wrong = sums_of_points.filter((sum, i) => Math.abs(sum - expected.Sx[i]) > 2e-3).length; // four digits are shown
check(`${wrong} sums of points are wrong`, wrong === 0);
hover("target", 0, 0);
check("points " + $("texel").textContent.slice(0, 60), /\d points? (was|were) drawn here/.test($("texel").textContent) && document.querySelectorAll("#sources .read").length > 0);
// A panel, and a packed triangle.
open("panel_load");
const panel = entriesIn(passes[chosen].targets[0].content);
check(`panel: ${panel.count} entries, ${panel.bad} wrong`, panel.count === expected.order ** 2 && !panel.bad);
open("panel_step");
hover("target", 0, 0);
check("vertices " + $("texel").textContent.slice(0, 200), /the vertices read \d+ texels, for all fragments/.test($("texel").textContent));
check("geometry", !passes[chosen].triangle === !shaders[passes[chosen].shader].geometry);
open("lower_copy");
const triangle = entriesIn(passes[chosen].targets[0].content);
check(`triangle: ${triangle.count} entries, ${triangle.bad} wrong`, triangle.count >= expected.order * (expected.order + 1) / 2 && !triangle.bad);
// Uniform blocks: the product of what was fetched and what was in the block.
open("slab_product");
const slab = passes[chosen], columns = slab.targets[0].content;
wrong = 0;
for (let x = 0; x < contents[columns].width; x++) {
  const left = readsOf(slab, x, 0), block = blockOf(slab, x);
  for (let j = 0; j < 8; j++)
    for (let lane = 0; lane < 4; lane++) {
      const sum = left.reduce((s, f, k) => s + texelOf(slab.sources[0].content, 0, f.x, f.y)[lane] * texelOf(slab.sources[1].content, 0, block[2 * k + (j >> 2)].x, block[2 * k].y)[j & 3], 0);
      wrong += Math.abs(sum - texelOf(columns, j, x, 0)[lane]) > 1e-4;
    }
}
check(`${wrong} numbers of a slab are not those of its block`, wrong === 0 && slab.sources[1].name === "uniform block");
hover("target", 0, 0);
check("block", /its draw had \d+ texels as a uniform block/.test($("texel").textContent));
// What the host computes is a step of its own, between what it read back and what it wrote.
open("panel_on_host");
check("host " + title(), title().includes("by the host") && passes[chosen].sources.length === 1 && $("shader").hidden && $("about").textContent.includes("of the host"));
hover("target", 0, 0);
check("computed by the host", $("texel").textContent.includes("The host has computed it"));
const unknown = passes.filter(p => !isHost(p) && !(p.reads >= 0) && !(p.points >= 0)).map(p => p.kernel);
check(`passes whose reads are not known: ${unknown}`, !unknown.length);
filterBy("");
choose(0);
check("shader " + $("code").textContent.length, $("code").querySelector("li") && $("stages").textContent.includes("vertex"));

filterBy("iteration 7");
check("filtered " + $("shown").textContent, shown.length > 0 && shown.length < passes.length);
filterBy("");
const before = getComputedStyle(document.body).backgroundColor;
press("d");
check("theme", getComputedStyle(document.body).backgroundColor !== before);
press("/");
check("keyboard", document.activeElement === $("filter"));
document.activeElement.blur();
figures[0].canvas.focus();
const from = $("texel").textContent;
press("ArrowUp", figures[0].canvas);
check("arrows within a picture", $("texel").textContent !== from);
choose(0);
$("play").click();
check("plays", timer !== 0);
$("play").click();
check("stops", timer === 0);
$("operators").querySelector("button").click();
check("operators", $("filter").value !== "");
document.body.replaceChildren(said.join("\n") + "\nend\n");
