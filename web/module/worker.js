// The library in a worker. texla.js posts {id, call, arguments} (and {id, files} for texts that are read as files); the answer is {id, value} or
// {id, error}; {id, iteration, residual} come between. Calls are done one after the other, as they come. Objects are numbers here.
"use strict";

let asked = 0;
const begun = new Promise(begin => {
  self.Module = {
    noInitialRun: true,
    print: text => console.log(text),
    printErr: text => console.warn(text),
    progress: (iteration, residual) => postMessage({id: asked, iteration, residual}),
    onRuntimeInitialized: begin,
  };
});

const failure = () => new Error(UTF8ToString(_texlaMessage()));
const made = object => { if (!object) throw failure(); return object; };
const done = status => { if (status < 0) throw failure(); };

// Copies of arrays in the program's memory, while `use` runs.
function lend(arrays, use) {
  const places = arrays.map(a => {
    const place = _malloc(Math.max(a.byteLength, 8));
    if (!place) throw new Error(`no memory for ${a.byteLength} bytes`);
    HEAPU8.set(new Uint8Array(a.buffer, a.byteOffset, a.byteLength), place);
    return place;
  });
  try {
    return use(...places);
  } finally {
    places.forEach(_free);
  }
}
const text = t => new TextEncoder().encode(t + "\0");
const floats = (place, n) => HEAPF32.slice(place >> 2, (place >> 2) + n);
// A text of the program's, which is freed.
function taken(place) {
  const said = UTF8ToString(made(place));
  _free(place);
  return said;
}
const kinds = ["sum", "norm", "min", "max", "dot"];

// Of triplets the matrix on the device, which is made for the first product.
const onDevice = new Map();
function matrixOf(T) {
  if (!onDevice.has(T)) onDevice.set(T, made(_texlaMatrix(T)));
  return onDevice.get(T);
}

const calls = {
  open() {
    done(_texlaOpen());
    return UTF8ToString(_texlaRenderer());
  },
  check: () => taken(_texlaCheck()),
  vector: (nx, ny) => made(_texlaVector(nx, ny)),
  upload: (x, values) => lend([values], place => done(_texlaUpload(x, place))),
  download: (x, n) => lend([new Float32Array(n)], place => {
    done(_texlaDownload(x, place));
    return floats(place, n);
  }),
  fill: (x, value) => done(_texlaFill(x, value)),
  copy: (y, x) => done(_texlaCopy(y, x)),
  axpy: (y, a, x) => done(_texlaAxpy(y, a, x)),
  add: (z, a, x, b, y) => done(_texlaAdd(z, a, x, b, y)),
  mul: (z, x, y) => done(_texlaMul(z, x, y)),
  reduce: (kind, x, y) => lend([new Float32Array(1)], place => {
    done(_texlaReduce(kinds.indexOf(kind), x, y, place));
    return floats(place, 1)[0];
  }),
  triplets: (rows, cols, row, col, value) =>
    lend([row, col, value], (r, c, v) => made(_texlaTriplets(rows, cols, value.length, r, c, v))),
  read(content) {
    FS.writeFile("/A.mtx", content);
    return lend([text("/A.mtx")], path => made(_texlaRead(path)));
  },
  shape: T => [_texlaRows(T), _texlaCols(T)],
  matrixVector: (T, range) => made(_texlaMatrixVector(matrixOf(T), range)),
  multiply: (y, T, x) => done(_texlaMultiply(y, matrixOf(T), x)),
  solve: (T, b, x, o) => lend([b, x, text(o.solver), text(o.precond)], (bAt, xAt, solver, precond) => {
    const report = taken(_texlaSolve(T, bAt, xAt, solver, precond, o.tolerance, o.maxIterations, o.refine, o.grid[0], o.grid[1]));
    return {x: HEAPF64.slice(xAt >> 3, (xAt >> 3) + x.length), report: JSON.parse(report)};
  }),
  kernel: (name, source) => lend([text(name), text(source)], (n, s) => made(_texlaKernel(n, s))),
  run(kernel, outputs, inputs, parameters) {
    const names = [...inputs, ...parameters].map(item => text(item.name));
    lend(names, (...places) => {
      outputs.forEach((y, k) => _texlaRunOutput(k, y));
      inputs.forEach((input, k) => _texlaRunInput(k, places[k], input.vector, input.anyLayout));
      parameters.forEach((p, k) => _texlaRunParameter(k, places[inputs.length + k], p.value.length, ...[0, 1, 2, 3].map(i => p.value[i] || 0)));
      done(_texlaRun(kernel));
    });
  },
  free(kind, object) {
    if (onDevice.has(object)) _texlaMatrixFree(onDevice.get(object));
    onDevice.delete(object);
    ({vector: _texlaVectorFree, matrix: _texlaTripletsFree, kernel: _texlaKernelFree})[kind](object);
  },
};

onmessage = async ({data: {id, call, arguments: given}}) => {
  await begun;
  asked = id;
  try {
    postMessage({id, value: calls[call](...given)});
  } catch (error) {
    postMessage({id, error: error.message || String(error)});
  }
};
