"""texla: linear algebra in OpenGL fragment shaders, computed in the background.

    import numpy as np, scipy.sparse as sp, texla

    x = texla.solve(A, b)               # A: SciPy sparse or NumPy; double accuracy
    with texla.Queue() as q:            # or leave it out: there is a default queue
        G = q.array(np.random.rand(500, 500))
        H = texla.exp(G @ G.T / 500)    # returns at once
        H.read()                        # read back as soon as it is there
        h = H.numpy()                   # waits

Every operation of the queue (texla.operations()) is a function of this module. Errors are texla.Error, with `status`; sizes that
do not fit are refused at once, what fails later is raised where its value is asked for.
"""
from ._queue import Array, Error, NotReady, Queue, default_queue, operations, version
from ._queue import call as _call

__all__ = ["Array", "Error", "NotReady", "Queue", "array", "default_queue", "operations", "solve", "lstsq", "cg", "version"]


def array(x):
    """A copy of the matrix or vector x (NumPy, SciPy sparse, or nested lists) in the default queue."""
    return default_queue().array(x)


def solve(A, b, tolerance=None, method=None):
    """x of A x = b as a NumPy array. Without a tolerance to double accuracy, and of a rectangular A the one of least squares, or the shortest; otherwise by an iteration ("cg", "bicgstab", "gmres",
    "multigrid", or "iterate", which chooses) until ||b - A x|| <= tolerance ||b||, measured in double; Error where that fails."""
    if tolerance is None and method is None:
        return _call("solve", A, b).numpy()
    x, info = _call(method or "iterate", A, b, tolerance or 1e-10, results=2)
    reason, residual, iterations, _ = info.numpy().ravel()
    if reason != 1:
        raise Error(1, f"solve: not converged after {int(iterations)} iterations, the residual is {residual:.2g}")
    return x.numpy()


def lstsq(A, b, weights=None):
    """x that makes sum weights_i (b - A x)_i^2 least, as a NumPy array, to double accuracy; A has at least as many rows as columns."""
    return _call("least_squares", A, b, *([] if weights is None else [weights])).numpy()


def cg(A, b, tolerance=1e-6, iterations=0):
    """Conjugate gradients: (x, info) as NumPy arrays; info: reason (1: converged), true residual, iterations, restarts."""
    x, info = _call("cg", A, b, tolerance, iterations, results=2)
    return x.numpy(), info.numpy().ravel()


def __getattr__(name):
    entry = operations().get(name)
    if entry is None:
        raise AttributeError(f"texla has no operation {name!r}")

    def function(*operands, results=1):
        return _call(name, *operands, results=results)

    function.__name__ = name
    function.__doc__ = entry["help"]
    return function


def __dir__():
    return sorted(set(globals()) | set(operations()))
