/** Linear algebra in fragment shaders, for pages (WebGL 2, in a worker). */

export interface Triplets {
  rows: number;
  cols: number;
  /** Positions count from 0; entries at one place are added. */
  row: ArrayLike<number>;
  col: ArrayLike<number>;
  value: ArrayLike<number>;
}
/** A matrix: its entries, or a file in Matrix Market format. */
export type MatrixSource = Triplets | string | Uint8Array;
export type Solver = "auto" | "cg" | "bicgstab" | "gmres" | "mg" | "amg" | "jacobi" | "plu" | "cholesky";
export type Preconditioner = "none" | "jacobi" | "chebyshev" | "mg" | "amg" | "ilu0" | "ic0";

export interface SolveOptions {
  /** Where the iteration begins; zeros without it. */
  x?: ArrayLike<number>;
  solver?: Solver;
  precond?: Preconditioner;
  /** ||b - A x|| / ||b|| to reach; 0: 1e-6, or 1e-12 with `refine`. */
  tolerance?: number;
  /** 0: ten times the number of unknowns. */
  maxIterations?: number;
  /** Go on to double accuracy. */
  refine?: boolean;
  /** The grid that A comes from, for mg: columns and rows. */
  grid?: [number, number];
  progress?: (iteration: number, residual: number) => void;
  /** Stops the run, and with it the worker: the Texla is closed then. */
  signal?: AbortSignal;
}
export interface Report {
  reason: "converged" | "stagnated" | "max_iterations" | "diverged" | "breakdown" | "not_positive_definite" | "bad_preconditioner"
    | "singular" | "inconsistent" | "nan" | "stopped" | "none";
  solver: string;
  precond: string;
  storage: string;
  storage_description: string;
  chosen_because: string;
  iterations: number;
  restarts: number;
  /** True, in double; null where it is not finite. */
  residual: number | null;
  seconds_setup: number;
  seconds_solve: number;
  passes: number;
  readbacks: number;
  history: (number | null)[];
}
export interface Solution {
  x: Float64Array;
  report: Report;
}

/** x <- solution of A x = b, on a Texla that all calls share. */
export function solve(A: MatrixSource, b: ArrayLike<number>, options?: SolveOptions): Promise<Solution>;
/** Opens WebGL 2 in a worker; `worker` is the address of worker.js where a bundler has moved it. */
export function open(options?: {worker?: string | URL}): Promise<Texla>;

/** A device with all that lives on it. Calls are done in the order in which they are made; a promise that nobody needs need not be waited for. */
export class Texla {
  private constructor();
  /** What renders. */
  readonly renderer: string;
  readonly closed: boolean;
  /** The report of `texla check`: some hundred computations beside double precision. */
  check(): Promise<string>;
  /** An array's numbers, or so many zeros; with `columns` those of a grid, row by row. */
  vector(values: ArrayLike<number> | number, options?: {columns?: number}): Promise<Vector>;
  matrix(A: MatrixSource): Promise<Matrix>;
  solve(A: Matrix | MatrixSource, b: ArrayLike<number>, options?: SolveOptions): Promise<Solution>;
  /** GLSL with `vec4 kernel()`, or `void kernel(out vec4 y[OUTPUTS])` for several outputs; see include/texla/kernel.h. */
  kernel(source: string, options?: {name?: string}): Promise<Kernel>;
  close(): void;
}
/** 32-bit floats in a texture. */
export class Vector {
  private constructor();
  readonly length: number;
  write(values: ArrayLike<number>): Promise<void>;
  read(): Promise<Float32Array>;
  fill(value: number): Promise<void>;
  /** this <- x */
  copy(x: Vector): Promise<void>;
  /** this <- this + a x */
  axpy(a: number, x: Vector): Promise<void>;
  /** this <- a x + b y */
  add(a: number, x: Vector, b: number, y: Vector): Promise<void>;
  /** this <- x y, element by element */
  mul(x: Vector, y: Vector): Promise<void>;
  dot(x: Vector): Promise<number>;
  sum(): Promise<number>;
  norm(): Promise<number>;
  min(): Promise<number>;
  max(): Promise<number>;
  free(): Promise<void>;
}
export class Matrix {
  private constructor();
  readonly rows: number;
  readonly cols: number;
  /** What it multiplies ("domain", also without a word) or makes ("range"). */
  vector(kind?: "domain" | "range", values?: ArrayLike<number>): Promise<Vector>;
  /** y <- A x, for vectors made by `vector`. */
  multiply(y: Vector, x: Vector): Promise<void>;
  free(): Promise<void>;
}
export class Kernel {
  private constructor();
  /** Every element of the outputs <- kernel(). `anyLayout`: inputs that are read by texelFetch alone, of any length. */
  run(run: {outputs: Vector[]; inputs?: Record<string, Vector>; parameters?: Record<string, number | number[]>; anyLayout?: string[]}): Promise<void>;
  free(): Promise<void>;
}
