// What a reader does with the page, and whether it shows what was downloaded. `expected` stands before: what test_page.c downloaded.
const said = [], check = (what, good) => said.push((good ? "good: " : "BAD: ") + what);
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
