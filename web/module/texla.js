// Linear algebra in fragment shaders, for pages: `await open()` gives a Texla, or call `solve` at once. See texla.d.ts and docs/browser.md.
// The work is done in a worker (worker.js), so that a page never waits; calls are queued there in the order in which they are made.

/** Opens WebGL 2 in a worker of its own. */
export async function open({worker = new URL("./worker.js", import.meta.url)} = {}) {
  const texla = new Texla(new Worker(worker));
  texla.renderer = await texla.call("open");
  return texla;
}

// What calls are given. Wrong arguments never reach the worker, whose memory knows no bounds.
function must(good, call, problem) {
  if (!good) throw new TypeError(`${call}: ${problem}`);
}
function whole(call, name, value, least = 1) {
  must(Number.isInteger(value) && value >= least && value < 2 ** 31, call, `${name} is ${String(value)}: must be a whole number from ${least} to 2147483647`);
  return value;
}
function number(call, name, value) {
  must(typeof value === "number", call, `${name} is ${String(value)}: must be a number`);
  return value;
}
// An array-like of so many numbers, as an array of `type`.
function numbers(call, name, values, type, length = values?.length) {
  must(typeof values === "object" && Number.isInteger(values?.length), call, `${name} must be an array of numbers`);
  must(values.length === length, call, `${name} has ${values.length} numbers: must have ${length}`);
  const array = values instanceof type ? values : type.from(values, value => typeof value === "number" ? value : NaN);
  must(array === values || array.every((v, i) => !Number.isNaN(v) || Number.isNaN(values[i])), call, `${name} must be an array of numbers`);
  return array;
}
// Places in a matrix, which would wrap around as 32-bit integers.
function places(call, name, values, length, size) {
  const wide = numbers(call, name, values, Float64Array, length), wrong = wide.findIndex(v => !(Number.isInteger(v) && v >= 0 && v < size));
  must(wrong < 0, call, `${name}[${wrong}] is ${wide[wrong]}: must be a whole number from 0 to ${size - 1}`);
  return Int32Array.from(wide);
}
// An object of this module's, on the device of `texla`, that was not freed.
function living(call, name, object, kind, texla) {
  must(object instanceof kind, call, `${name} must be a ${kind.name}`);
  must(object.texla === texla, call, `${name} belongs to another Texla`);
  must(object.object, call, `${name} was freed`);
  return object.object;
}
// A list of objects or names, at most `most`.
function list(call, name, values, least, most) {
  must(Array.isArray(values) && values.length >= least && values.length <= most, call, `${name} must be an array of ${least} to ${most}`);
  return values;
}
function string(call, name, value) {
  must(typeof value === "string", call, `${name} is ${String(value)}: must be a string`);
  return value;
}

let shared = null; // the one of `solve`

/** x <- solution of A x = b; the report is that of `texla solve --json`. */
export async function solve(A, b, options = {}) {
  shared ||= open();
  const texla = await shared;
  try {
    return await texla.solve(A, b, options);
  } finally {
    if (texla.closed) shared = null;
  }
}

export class Texla {
  constructor(worker) {
    this.worker = worker;
    this.waiting = new Map();
    this.last = 0;
    this.closed = false;
    worker.onmessage = ({data}) => this.#take(data);
    worker.onerror = failure => this.#end(new Error(failure.message || "texla's worker has failed"));
  }

  #take({id, value, error, iteration, residual}) {
    const asked = this.waiting.get(id);
    if (!asked) return;
    if (iteration !== undefined) return asked.progress?.(iteration, residual);
    this.waiting.delete(id);
    if (error === undefined) asked.resolve(value);
    else asked.reject(new Error(error));
  }

  #end(reason) {
    this.closed = true;
    this.worker.terminate();
    for (const asked of this.waiting.values()) asked.reject(reason);
    this.waiting.clear();
  }

  /** Ends the worker with all that is on it. */
  close() {
    this.#end(new Error("texla was closed"));
  }

  /** One call of the worker's (for the classes here). */
  call(call, given = [], {progress, signal} = {}) {
    return new Promise((resolve, reject) => {
      if (this.closed) return reject(new Error("texla was closed"));
      if (signal?.aborted) return reject(signal.reason);
      const id = ++this.last, stop = () => this.#end(signal.reason);
      const end = then => value => { signal?.removeEventListener("abort", stop); then(value); };
      signal?.addEventListener("abort", stop);
      this.waiting.set(id, {resolve: end(resolve), reject: end(reject), progress});
      this.worker.postMessage({id, call, arguments: given});
    });
  }

  /** The report of `texla check`: is what this device computes right? */
  check() { return this.call("check"); }

  /** Numbers on the device: an array of them, or so many zeros; with `columns` those of a grid, row by row. */
  async vector(values, {columns = 0} = {}) {
    const array = typeof values === "number" ? null : numbers("vector", "values", values, Float32Array);
    const length = whole("vector", "length", array ? array.length : values);
    whole("vector", "columns", columns, 0);
    must(!columns || length % columns === 0, "vector", `${length} numbers are no grid of ${columns} columns`);
    const x = new Vector(this, await this.call("vector", columns ? [columns, length / columns] : [length, 0]), length);
    if (array) await x.write(array);
    return x;
  }

  /** A sparse matrix: {rows, cols, row, col, value}, whose entries at one place are added, or a text in Matrix Market format. */
  async matrix(A) {
    let made;
    if (typeof A === "string" || A instanceof Uint8Array)
      made = this.call("read", [A]);
    else {
      must(A && typeof A === "object", "matrix", "A must be {rows, cols, row, col, value} or a text");
      const rows = whole("matrix", "rows", A.rows), cols = whole("matrix", "cols", A.cols);
      const value = numbers("matrix", "value", A.value, Float64Array), n = value.length;
      made = this.call("triplets", [rows, cols, places("matrix", "row", A.row, n, rows), places("matrix", "col", A.col, n, cols), value]);
    }
    const T = await made;
    return new Matrix(this, T, ...await this.call("shape", [T]));
  }

  /** See `solve` above. A may be a Matrix. */
  async solve(A, b, {x, solver = "auto", precond = "none", tolerance = 0, maxIterations = 0, refine = false, grid = [0, 0], progress, signal} = {}) {
    string("solve", "solver", solver);
    string("solve", "precond", precond);
    number("solve", "tolerance", tolerance);
    number("solve", "maxIterations", maxIterations);
    must(maxIterations >= 0 && maxIterations <= Number.MAX_SAFE_INTEGER, "solve", `maxIterations is ${maxIterations}`);
    list("solve", "grid", grid, 2, 2).forEach(side => whole("solve", "grid", side, 0));
    const options = {solver, precond, tolerance, maxIterations, refine: Boolean(refine), grid};
    const right = numbers("solve", "b", b, Float64Array);
    const start = x == null ? null : numbers("solve", "x", x, Float64Array);
    const own = A instanceof Matrix ? null : await this.matrix(A), matrix = own || A;
    try {
      const T = living("solve", "A", matrix, Matrix, this);
      if (matrix.rows !== matrix.cols || right.length !== matrix.rows)
        throw new Error(`solve: A is ${matrix.rows} x ${matrix.cols} and b has ${right.length} numbers: A must be square, and b as long as it is high`);
      must(!start || start.length === matrix.cols, "solve", `x has ${start?.length} numbers: must have ${matrix.cols}`);
      return await this.call("solve", [T, right, start || new Float64Array(matrix.cols), options], {progress, signal});
    } finally {
      if (own && !this.closed) own.free();
    }
  }

  /** A fragment shader of your own: GLSL with `vec4 kernel()` (include/texla/kernel.h). */
  async kernel(source, {name = "kernel"} = {}) {
    return new Kernel(this, await this.call("kernel", [string("kernel", "name", name), string("kernel", "source", source)]));
  }
}

// What lives in the worker, by a number that is 0 once it was freed. Freeing twice does nothing.
class Living {
  async free() {
    const object = this.object;
    this.object = 0;
    if (object) await this.texla.call("free", [this.kind, object]);
  }
}

/** Numbers in a texture. Methods that change it return a promise that need not be waited for. */
export class Vector extends Living {
  constructor(texla, object, length) {
    super();
    Object.assign(this, {texla, object, length, kind: "vector"});
  }
  // A call with this vector, and others, after other arguments.
  async #call(call, ...given) {
    const objects = [living(call, "this", this, Vector, this.texla)];
    for (const x of given) objects.push(x instanceof Vector ? living(call, "x", x, Vector, this.texla) : x);
    return this.texla.call(call, objects);
  }
  async write(values) { return this.#call("upload", numbers("write", "values", values, Float32Array, this.length)); }
  async read() { return this.#call("download", this.length); }
  async fill(value) { return this.#call("fill", number("fill", "value", value)); }
  /** this <- x */
  async copy(x) { return this.#call("copy", vector("copy", x)); }
  /** this <- this + a x */
  async axpy(a, x) { return this.#call("axpy", number("axpy", "a", a), vector("axpy", x)); }
  /** this <- a x + b y */
  async add(a, x, b, y) { return this.#call("add", number("add", "a", a), vector("add", x), number("add", "b", b), vector("add", y)); }
  /** this <- x y, element by element */
  async mul(x, y) { return this.#call("mul", vector("mul", x), vector("mul", y)); }
  async #reduce(kind, x = this) {
    const objects = [this, vector(kind, x)].map(v => living(kind, "x", v, Vector, this.texla));
    return this.texla.call("reduce", [kind, ...objects]);
  }
  async dot(x) { return this.#reduce("dot", vector("dot", x)); }
  async sum() { return this.#reduce("sum"); }
  async norm() { return this.#reduce("norm"); }
  async min() { return this.#reduce("min"); }
  async max() { return this.#reduce("max"); }
}
function vector(call, x) {
  must(x instanceof Vector, call, "x must be a Vector");
  return x;
}

/** A sparse matrix: on the host for `solve`, and on the device from its first product on. */
export class Matrix extends Living {
  constructor(texla, object, rows, cols) {
    super();
    Object.assign(this, {texla, object, rows, cols, kind: "matrix"});
  }
  /** A vector that this matrix multiplies ("domain") or makes ("range"). */
  async vector(kind = "domain", values = null) {
    must(kind === "domain" || kind === "range", "vector", `kind is ${String(kind)}: must be "domain" or "range"`);
    const range = kind === "range", length = range ? this.rows : this.cols;
    const array = values == null ? null : numbers("vector", "values", values, Float32Array, length);
    const x = new Vector(this.texla, await this.texla.call("matrixVector", [living("vector", "this", this, Matrix, this.texla), range]), length);
    if (array) await x.write(array);
    return x;
  }
  /** y <- A x, for vectors of `vector` */
  async multiply(y, x) {
    const [to, from] = [y, x].map(v => living("multiply", "y or x", v, Vector, this.texla));
    return this.texla.call("multiply", [to, living("multiply", "this", this, Matrix, this.texla), from]);
  }
}

export class Kernel extends Living {
  constructor(texla, object) {
    super();
    Object.assign(this, {texla, object, kind: "kernel"});
  }
  /** One pass: every element of the outputs <- kernel(). */
  async run({outputs, inputs = {}, parameters = {}, anyLayout = []} = {}) {
    const to = list("run", "outputs", outputs, 1, 8).map(v => living("run", "an output", v, Vector, this.texla));
    const given = list("run", "inputs", Object.entries(inputs), 0, 16)
      .map(([name, v]) => ({name, vector: living("run", name, v, Vector, this.texla), anyLayout: list("run", "anyLayout", anyLayout, 0, 16).includes(name)}));
    const values = list("run", "parameters", Object.entries(parameters), 0, 16)
      .map(([name, v]) => ({name, value: list("run", name, [v].flat(), 1, 4).map(value => number("run", name, value))}));
    return this.texla.call("run", [living("run", "this", this, Kernel, this.texla), to, given, values]);
  }
}
