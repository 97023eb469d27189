"""python_calls.py [SIZES]: times of 12 typical calls in NumPy or SciPy and with texla, as the table of docs/python.md.

    PYTHONPATH=python python3 bench/python_calls.py 256 1024 2048

Values are on the device before, and results stay there: the clock stops when one entry of the result has been read, which is what
makes the device finish (the last line says what reading an entry costs by itself). Medians of five after one call that compiles. For
figures use a quiet machine. TEXLA_DEVICE chooses the device."""
import datetime
import os
import statistics
import sys
import time
import warnings

import numpy as np
import scipy
import scipy.sparse as sp
import scipy.sparse.linalg as spla

import texla

TURNS = 5


def poisson(n):
    """The five-point matrix of a grid of n x n points."""
    one = sp.diags([-1, 2, -1], [-1, 0, 1], shape=(n, n))
    return (sp.kron(one, sp.eye(n)) + sp.kron(sp.eye(n), one)).tocsr()


# name: (NumPy's, texla's) of two matrices n x n of single precision
CALLS = {
    "`A + B`": (lambda a, b: a + b, lambda a, b: a + b),
    "`A * B`": (lambda a, b: a * b, lambda a, b: a * b),
    "`exp(A)`": (lambda a, b: np.exp(a), lambda a, b: texla.exp(a)),
    "`sin(A)`": (lambda a, b: np.sin(a), lambda a, b: texla.sin(a)),
    "`A @ B`": (lambda a, b: a @ b, lambda a, b: a @ b),
    "`sum(A, axis=0)`": (lambda a, b: np.sum(a, axis=0), lambda a, b: texla.sum(a, axis=0)),
    "`max(A)`": (lambda a, b: np.max(a), lambda a, b: texla.max(a)),
    "`cumsum(A, axis=0)`": (lambda a, b: np.cumsum(a, axis=0), lambda a, b: texla.cumulative_sum(a, axis=0)),
    "`sort(A, axis=0)`": (lambda a, b: np.sort(a, axis=0), lambda a, b: texla.sort(a, axis=0)),
    "`A[::-1, ::2]`": (lambda a, b: a[::-1, ::2].copy(), lambda a, b: a[::-1, ::2]),
    "`solve(A, b)` in double": (lambda a, b: np.linalg.solve(a, b), lambda a, b: texla.linalg.solve(a, b)),
    "`cg`, grid n/4 x n/4, 1e-5": (lambda a, b: spla.cg(a, b, **{TOLERANCE: 1e-5})[0], lambda a, b: texla.sparse.linalg.cg(a, b, rtol=1e-5)[0]),
    "one entry is read": (lambda a, b: a, lambda a, b: a),
}
TOLERANCE = "rtol" if tuple(map(int, scipy.__version__.split(".")[:2])) >= (1, 12) else "tol"


def operands(name, n, random):
    """((NumPy's operands), (texla's))."""
    if name.startswith("`cg"):
        A = poisson(n // 4)
        b = random.standard_normal(A.shape[0])
        return (A, b), (texla.array(A), b)
    if name.startswith("`solve"):
        A, b = random.standard_normal((n, n)) + np.eye(n) * n**0.5, random.standard_normal(n)
        return (A, b), (texla.array(A), texla.array(b))
    host = tuple(random.random((n, n), dtype=np.float32) for _ in range(2))
    device = tuple(texla.array(x) for x in host)
    for x in device:
        texla.sum(x).wait()  # the upload is done
    return host, device


def seconds(function, arguments):
    start = time.perf_counter()
    made = function(*arguments)
    if isinstance(made, texla.Array):
        np.asarray(made[(slice(0, 1),) * made.ndim])
    return time.perf_counter() - start


def medians(name, n):
    host, device = operands(name, n, np.random.default_rng(1))
    numpys, texlas = CALLS[name]
    seconds(texlas, device)
    turns = [(seconds(numpys, host), seconds(texlas, device)) for _ in range(TURNS)]
    return [statistics.median(column) for column in zip(*turns)]


def text(s):
    return f"{1e6 * s:.0f} us" if s < 1e-3 else f"{1e3 * s:.1f} ms" if s < 1 else f"{s:.2f} s"


def main(sizes):
    warnings.simplefilter("ignore")
    load = os.getloadavg()[0]
    print(f"{datetime.date.today()}, {os.cpu_count()} cores, load {load:.1f}, NumPy {np.__version__}, SciPy {scipy.__version__}, "
          f"texla {texla.version()}, device {os.environ.get('TEXLA_DEVICE', 'auto')}; medians of {TURNS}: NumPy / texla\n")
    print("| | " + " | ".join(f"n = {n}" for n in sizes) + " | texla wins from |")
    print("|---|" + "---|" * (len(sizes) + 1))
    for name in CALLS:
        times = [medians(name, n) for n in sizes]
        wins = [n for k, n in enumerate(sizes) if all(t < h for h, t in times[k:])]
        cells = [f"{text(h)} / {text(t)}" for h, t in times]
        print(f"| {name} | {' | '.join(cells)} | {wins[0] if wins else '-'} |", flush=True)


if __name__ == "__main__":
    main([int(n) for n in sys.argv[1:]] or [256, 1024, 2048])
