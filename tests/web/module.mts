// Every call of the JavaScript module with all that it takes, and what its types must refuse, as tsc sees them (module.py). It is not run: module.html uses the module.
import {open, solve, Texla, Vector, Matrix, Kernel} from "texla";
import type {MatrixSource, Preconditioner, Report, Solution, SolveOptions, Solver, Triplets} from "texla";

const triplets: Triplets = {rows: 2, cols: 2, row: [0, 1], col: new Uint32Array([0, 1]), value: Float64Array.of(4, 8)};
const sources: MatrixSource[] = [triplets, "%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 4\n", new Uint8Array(8)];
const solver: Solver = "bicgstab", precond: Preconditioner = "ilu0";
const options: Required<SolveOptions> = {
  x: [0, 0], solver, precond, tolerance: 1e-6, maxIterations: 100, refine: true, grid: [2, 1], signal: new AbortController().signal,
  progress: (iteration, residual) => console.log(iteration.toFixed(), residual.toExponential()),
};

async function systems(texla: Texla): Promise<Solution> {
  const {x, report} = await solve(sources[0], [4, 8], options);
  const numbers: Float64Array = x, said: Report = report;
  const texts: string[] = [said.solver, said.precond, said.storage, said.storage_description, said.chosen_because];
  const counts: number[] = [said.iterations, said.restarts, said.seconds_setup, said.seconds_solve, said.passes, said.readbacks];
  const residuals: (number | null)[] = [said.residual, ...said.history];
  if (said.reason === "not_positive_definite")
    console.log(numbers.length, texts, counts, residuals);
  return texla.solve(await texla.matrix(sources[1]), Float32Array.of(4));
}

async function matrices(texla: Texla): Promise<void> {
  const A: Matrix = await texla.matrix(triplets), x = await A.vector("domain", [1, 2]), y = await A.vector("range");
  await A.multiply(y, x);
  console.log(A.rows + A.cols, (await A.vector()).length);
  await A.free();
}

async function vectors(texla: Texla): Promise<number[]> {
  const x: Vector = await texla.vector([1, 2, 3, 4], {columns: 2}), y = await texla.vector(4, {columns: 2});
  await Promise.all([y.write([1, 2, 3, 4]), y.fill(1), y.copy(x), y.axpy(2, x), y.add(1, x, 2, y), y.mul(x, y)]);
  const read: Float32Array = await y.read();
  const square: Kernel = await texla.kernel("uniform sampler2D u; vec4 kernel() { return texel(u) * texel(u); }", {name: "square"});
  await square.run({outputs: [y], inputs: {u: x}, parameters: {a: 1, b: [1, 2]}, anyLayout: ["u"]});
  await square.free();
  await x.free();
  return [await y.dot(y), await y.sum(), await y.norm(), await y.min(), await y.max(), read[0], y.length];
}

async function refused(texla: Texla, x: Vector, A: Matrix): Promise<void> {
  // @ts-expect-error: there is no such solver
  await solve(triplets, [4, 8], {solver: "magic"});
  // @ts-expect-error: nor such a preconditioner
  await solve(triplets, [4, 8], {precond: "best"});
  // @ts-expect-error: an option has this name alone
  await solve(triplets, [4, 8], {maxIteration: 3});
  // @ts-expect-error: a grid has two sides
  await solve(triplets, [4, 8], {grid: [2]});
  // @ts-expect-error: where are the columns?
  await texla.matrix({rows: 2, cols: 2, row: [0], value: [1]});
  // @ts-expect-error: a vector, not its numbers
  await x.axpy(2, [1, 2]);
  // @ts-expect-error: a promise is not yet its number
  const sum: number = x.sum();
  // @ts-expect-error: what renders is the device's choice
  texla.renderer = "mine";
  // @ts-expect-error: how large it is does not change
  x.length = 3;
  // @ts-expect-error: what it multiplies or makes
  await A.vector("image");
  // @ts-expect-error: a kernel without outputs
  await (await texla.kernel("")).run({});
  // @ts-expect-error: a Texla is opened, not made
  new Texla();
  console.log(sum);
}

const texla: Texla = await open({worker: new URL("worker.js", "https://example.org/")});
console.log(texla.renderer, await systems(texla), await matrices(texla), await vectors(texla), refused);
if (!texla.closed)
  texla.close();
