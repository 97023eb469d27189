// Linear algebra in fragment shaders, for pages: `await open()` gives a Texla, or call `solve` at once. See texla.d.ts and docs/browser.md.
// The work is done in a worker (worker.js), so that a page never waits; calls are queued there in the order in which they are made.

/** Opens WebGL 2 in a worker of its own. */
export async function open({worker = new URL("./worker.js", import.meta.url)} = {}) {
  const texla = new Texla(new Worker(worker));
  texla.renderer = await texla.call("open");
  return texla;
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
    const length = typeof values === "number" ? values : values.length;
    const grid = columns ? [columns, length / columns] : [length, 0];
    const x = new Vector(this, await this.call("vector", grid), length);
    if (typeof values !== "number") await x.write(values);
    return x;
  }

  /** A sparse matrix: {rows, cols, row, col, value}, whose entries at one place are added, or a text in Matrix Market format. */
  async matrix(A) {
    const T = typeof A === "string" || A instanceof Uint8Array
      ? await this.call("read", [A])
      : await this.call("triplets", [A.rows, A.cols, Int32Array.from(A.row), Int32Array.from(A.col), Float64Array.from(A.value)]);
    return new Matrix(this, T, ...await this.call("shape", [T]));
  }

  /** See `solve` above. A may be a Matrix. */
  async solve(A, b, {x, solver = "auto", precond = "none", tolerance = 0, maxIterations = 0, refine = false, grid = [0, 0], progress, signal} = {}) {
    const own = A instanceof Matrix ? null : await this.matrix(A), matrix = own || A;
    if (matrix.rows !== matrix.cols || b.length !== matrix.rows)
      throw new Error(`solve: A is ${matrix.rows} x ${matrix.cols} and b has ${b.length} numbers: A must be square, and b as long as it is high`);
    const start = x ? Float64Array.from(x) : new Float64Array(b.length);
    const options = {solver, precond, tolerance, maxIterations, refine, grid};
    try {
      return await this.call("solve", [matrix.triplets, Float64Array.from(b), start, options], {progress, signal});
    } finally {
      if (own && !this.closed) own.free();
    }
  }

  /** A fragment shader of your own: GLSL with `vec4 kernel()` (include/texla/kernel.h). */
  async kernel(source, {name = "kernel"} = {}) {
    return new Kernel(this, await this.call("kernel", [name, source]));
  }
}

/** Numbers in a texture. Methods that change it return a promise that need not be waited for. */
export class Vector {
  constructor(texla, object, length) {
    Object.assign(this, {texla, object, length});
  }
  write(values) {
    if (values.length !== this.length) throw new Error(`write: ${values.length} numbers into a vector of ${this.length}`);
    return this.texla.call("upload", [this.object, Float32Array.from(values)]);
  }
  read() { return this.texla.call("download", [this.object, this.length]); }
  fill(value) { return this.texla.call("fill", [this.object, value]); }
  /** this <- x */
  copy(x) { return this.texla.call("copy", [this.object, x.object]); }
  /** this <- this + a x */
  axpy(a, x) { return this.texla.call("axpy", [this.object, a, x.object]); }
  /** this <- a x + b y */
  add(a, x, b, y) { return this.texla.call("add", [this.object, a, x.object, b, y.object]); }
  /** this <- x y, element by element */
  mul(x, y) { return this.texla.call("mul", [this.object, x.object, y.object]); }
  dot(x) { return this.texla.call("reduce", ["dot", this.object, x.object]); }
  sum() { return this.texla.call("reduce", ["sum", this.object, 0]); }
  norm() { return this.texla.call("reduce", ["norm", this.object, 0]); }
  min() { return this.texla.call("reduce", ["min", this.object, 0]); }
  max() { return this.texla.call("reduce", ["max", this.object, 0]); }
  free() { return this.texla.call("free", ["vector", this.object]); }
}

/** A sparse matrix: on the host for `solve`, and on the device from its first product on. */
export class Matrix {
  constructor(texla, triplets, rows, cols) {
    Object.assign(this, {texla, triplets, rows, cols});
  }
  /** A vector that this matrix multiplies ("domain") or makes ("range"). */
  async vector(kind = "domain", values = null) {
    const range = kind === "range";
    const x = new Vector(this.texla, await this.texla.call("matrixVector", [this.triplets, range]), range ? this.rows : this.cols);
    if (values) await x.write(values);
    return x;
  }
  /** y <- A x, for vectors of `vector` */
  multiply(y, x) { return this.texla.call("multiply", [y.object, this.triplets, x.object]); }
  free() { return this.texla.call("free", ["matrix", this.triplets]); }
}

export class Kernel {
  constructor(texla, object) {
    Object.assign(this, {texla, object});
  }
  /** One pass: every element of the outputs <- kernel(). */
  run({outputs, inputs = {}, parameters = {}, anyLayout = []}) {
    const given = Object.entries(inputs).map(([name, v]) => ({name, vector: v.object, anyLayout: anyLayout.includes(name)}));
    const numbers = Object.entries(parameters).map(([name, v]) => ({name, value: [v].flat()}));
    return this.texla.call("run", [this.object, outputs.map(v => v.object), given, numbers]);
  }
  free() { return this.texla.call("free", ["kernel", this.object]); }
}
