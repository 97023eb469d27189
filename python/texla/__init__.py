"""texla: linear algebra in OpenGL fragment shaders, computed in the background.

    import numpy as np, scipy.sparse as sp, texla

    x = texla.linalg.solve(A, b)                 # A: SciPy sparse or NumPy; double accuracy
    x, info = texla.sparse.linalg.cg(A, b, rtol=1e-8)
    G = texla.asarray(np.random.rand(500, 500))  # an Array of the Python array API standard
    H = np.exp(G @ G.T / 500)                    # returns at once
    h = np.asarray(H)                            # waits
    with texla.Queue() as q: ...                 # a device and a thread of one's own

Every operation of the queue (`texla.operations()`) is `texla.call(name, ...)`, and a function by its own name where that is not
taken. Errors are texla.Error, with
`status`; sizes that do not fit are refused at once, what fails later is raised where its value is asked for.
"""
from __future__ import annotations

from typing import Any

import numpy as _np

from . import _functions, _operators, linalg, sparse  # noqa: F401
from ._array import Array
from ._axes import *  # noqa: F401,F403  the functions of the standard
from ._creation import *  # noqa: F401,F403
from ._entries import *  # noqa: F401,F403
from ._forms import *  # noqa: F401,F403
from ._parts import *  # noqa: F401,F403
from ._products import *  # noqa: F401,F403
from ._library import Error, NotFinite, NotReady, ShapeError, __version__, operations, reason_text, solved, version
from ._queue import Queue, call, default_queue
from .linalg import crout

__array_api_version__ = "2022.12"
__all__ = ["Array", "Error", "NotFinite", "NotReady", "Queue", "ShapeError", "call", "cg", "crout", "default_queue", "linalg", "lstsq", "operations",
           "solve", "sparse", "version"]
__all__ += _functions.__all__


def solve(A: Any, b: Any, tolerance: float | None = None, method: str | None = None) -> _np.ndarray:
    """x of A x = b as a NumPy array.

    Parameters
    ----------
    A : array_like or scipy.sparse matrix
        Of any shape: of a rectangular one x is that of least squares, or the shortest.
    b : array_like
    tolerance : float, optional
        Without it to double accuracy; otherwise by an iteration until ||b - A x|| <= tolerance ||b||, measured in double.
    method : {"cg", "bicgstab", "gmres", "multigrid", "iterate"}, optional
        The iteration; "iterate" chooses.

    Examples
    --------
    >>> import texla
    >>> texla.solve([[2., 0.], [0., 4.]], [2., 2.]).tolist()
    [1.0, 0.5]
    """
    if tolerance is None and method is None:
        return call("solve", A, b).numpy()
    x, info = call(method or "iterate", A, b, tolerance or 1e-10, results=2)
    reason, residual, iterations, _ = info.numpy().ravel()
    if not solved(reason):
        raise Error(1, f"solve: not solved after {int(iterations)} iterations, the residual is {residual:.2g}: {reason_text(reason)}")
    return x.numpy()


def lstsq(A: Any, b: Any, weights: Any = None) -> _np.ndarray:
    """x that makes sum weights_i (b - A x)_i^2 least, as a NumPy array, to double accuracy; A has at least as many rows as columns."""
    return call("least_squares", A, b, *([] if weights is None else [weights])).numpy()


def cg(A: Any, b: Any, tolerance: float = 1e-6, iterations: int = 0) -> tuple[_np.ndarray, _np.ndarray]:
    """Conjugate gradients: (x, info) as NumPy arrays; info: reason (1: converged), true residual, iterations, restarts. SciPy's
    arguments are those of texla.sparse.linalg.cg."""
    x, info = call("cg", A, b, tolerance, iterations, results=2)
    return x.numpy(), info.numpy().ravel()


def __getattr__(name: str) -> Any:
    entry = operations().get(name)
    if entry is None:
        raise AttributeError(f"texla has no operation {name!r}")

    def function(*operands: Any, results: int = 1) -> Any:
        return call(name, *operands, results=results)

    function.__name__ = name
    function.__doc__ = str(entry["help"])
    return function


def __dir__() -> list[str]:
    return sorted(set(globals()) | set(operations()))
