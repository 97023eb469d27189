"""Solvers with the names, arguments and return values of scipy.sparse.linalg.

Where A is a matrix and M a name of a preconditioner (or none), whole iterations run on the device (`clSystem`), refined until the
true residual in double meets the tolerance. With a callback, or if A or M is an operator, the iterations run here, on NumPy vectors
in double. Both ways `clSystemJudge` decides whether the system is solved.
"""
from __future__ import annotations

from typing import Any, Callable

import numpy as np

from .. import linalg as dense
from .._array import Array
from .._library import NOT_FINITE, NotFinite, judge, reason_text, solved
from .._queue import queue_of, real
from . import _krylov
from ._krylov import norm

__all__ = ["LinearOperator", "aslinearoperator", "bicgstab", "cg", "factorized", "gmres", "minres", "spsolve"]

_PRECONDITIONERS = {None: 0.0, "auto": 0.0, "none": 1.0, "jacobi": 2.0, "chebyshev": 3.0, "mg": 4.0, "amg": 5.0}
_BROKEN = (4, 5, 6, 7, 8, 10)  # reasons after which more iterations would not help


class LinearOperator:
    """A matrix that is known by its products with vectors.

    Parameters
    ----------
    shape : (int, int)
        Rows and columns.
    matvec : callable
        NumPy vector of doubles -> vector: A x.
    rmatvec : callable, optional
        A^T x.
    """

    def __init__(self, shape: tuple[int, int], matvec: Callable[[Any], Any], rmatvec: Callable[[Any], Any] | None = None,
                 dtype: Any = None) -> None:
        self.shape, self._matvec, self._rmatvec, self.dtype = tuple(shape), matvec, rmatvec, np.dtype(dtype or float)

    def matvec(self, x: Any) -> Any:
        """A x."""
        return self._matvec(x)

    def rmatvec(self, x: Any) -> Any:
        """A^T x."""
        if self._rmatvec is None:
            raise NotImplementedError("this LinearOperator has no rmatvec")
        return self._rmatvec(x)

    def __matmul__(self, x: Any) -> Any:
        return self.matvec(x)

    __call__ = __matmul__


def aslinearoperator(A: Any) -> Any:
    """A matrix (Array, NumPy, SciPy sparse) as a LinearOperator whose products are in double on the host; an operator as it is."""
    if _is_operator(A):
        return A
    matrix = _host(A)
    return LinearOperator(matrix.shape, lambda x: matrix @ np.asarray(x), lambda x: matrix.T @ np.asarray(x), matrix.dtype)


def _is_operator(A: Any) -> bool:
    return hasattr(A, "matvec") and not isinstance(A, Array)


def _finite(name: str, values: Any) -> Any:
    if not np.isfinite(values).all():
        raise NotFinite(NOT_FINITE, f"texla: {name} is not finite: it has NaN, infinities or sums beyond double")
    return values


def _operand(name: str, A: Any) -> Any:
    """An Array, an operator, or a NumPy or SciPy matrix: real, and finite as far as that is known here."""
    if not (_is_operator(A) or hasattr(A, "tocsr") or isinstance(A, Array)):
        return _finite(name, real(name, np.asarray(A)).astype(float, copy=False))
    if hasattr(real(name, A), "tocsr"):
        A = A.tocsr()
        _finite(name, A.data)
    return A


def _host(A: Any) -> Any:
    """A matrix for products in double."""
    if isinstance(A, Array):
        A = A.numpy(np.float64) if A._source is None else A._source
    return _operand("A", A)


def _vector(name: str, x: Any, n: int) -> np.ndarray:
    """A copy in double."""
    x = real(name, x.toarray() if hasattr(x, "toarray") else np.asarray(x))
    if x.shape not in ((n,), (n, 1)):
        raise ValueError(f"texla: A is {n} x {n}, and {name} has the shape {x.shape}: it must have {n} numbers")
    return _finite(name, x.astype(float).ravel())


def _square(A: Any) -> Any:
    A = _operand("A", A)
    if len(A.shape) != 2 or A.shape[0] != A.shape[1]:
        raise ValueError(f"texla: A has the shape {tuple(A.shape)}: expected 2-D, and square")
    return A


class _Product:
    """The product with a matrix or an operator, checked, in double. `eps`: of the least precise result; `unit`: a power of two
    near the matrix's largest entry, 1 of an operator."""

    def __init__(self, name: str, A: Any) -> None:
        self.name, self.matrix, self.eps, self.unit = name, None if _is_operator(A) else _host(A), 0.0, 1.0
        if self.matrix is not None and self.matrix.shape[0]:
            largest = float(abs(self.matrix).max())
            self.unit = float(np.ldexp(1.0, min(max(np.frexp(largest)[1], -1000), 1000)))
        self.apply = A.matvec if self.matrix is None else lambda x: self.matrix @ x

    def __call__(self, x: np.ndarray) -> np.ndarray:
        y = real(f"a product with {self.name}", np.asarray(self.apply(x)))
        if y.size != x.size:
            raise ValueError(f"texla: a product with {self.name} has the shape {y.shape}: it must have {x.size} numbers")
        if y.dtype == np.float32:
            self.eps = float(np.finfo(np.float32).eps)
        y = y.astype(float, copy=False).ravel()
        return _finite(f"a product with {self.name}", y) if np.abs(x).max(initial=0.0) < 1e150 else y

    def left(self, b: np.ndarray, r: np.ndarray) -> float:
        """The norm of r = b - A x, and of what rounded products may hide from it."""
        return norm(r) + self.eps * norm(b - r)

    def backward_error(self, x: np.ndarray, b: np.ndarray) -> float:
        """max |b - A x| / (|A| |x| + |b|); 0 of an operator: not known."""
        if self.matrix is None:
            return 0.0
        r = np.abs(b - self(x))
        terms = abs(self.matrix) @ np.abs(x) + np.abs(b)
        r[r <= 2.0 ** -1068] = 0.0  # the end of the range, not rounding
        return float((r / np.where(r > 0, terms, 1.0)).max())


def _whole(method: str, A: Any, b: np.ndarray, x0: Any, rtol: float, maxiter: int | None, M: Any) -> tuple[np.ndarray, int, int]:
    """All iterations on the device: x, the reason, iterations."""
    matrix = queue_of(A).array(A)
    start = [] if x0 is None or not x0.any() else [x0]
    x, info = matrix._queue.call(method, matrix, b, rtol or 1e-300, float(maxiter or 0), _PRECONDITIONERS[M], *start, results=2)
    reason, _, iterations, _ = np.asarray(info, dtype=float).ravel()
    return np.asarray(x, dtype=float).reshape(-1), int(reason), int(iterations)


def _rounds(run: Any, A: _Product, M: Any, b: np.ndarray, x: np.ndarray, limit: float, most: int,
            report: Any) -> tuple[np.ndarray, int, int]:
    """Runs that each begin with the true residual, while that gains: the best x, why the last run ended, iterations."""
    r = b - A(x) if x.any() else b
    state = best = A.left(b, r), x, r
    done, misses, factor, ended = 0, 0, 1.0, _krylov.CONVERGED
    while best[0] > limit and done < most and misses < 4:
        size, x, r = state
        scale = float(np.ldexp(0.5, np.frexp(size)[1]))  # r is scaled to a norm between 1 and 2, without rounding
        step = scale / A.unit
        d, steps, ended = run(lambda v: A(v) / A.unit, M, r / scale, factor * limit / scale, most - done,
                              lambda d, left: report(x, step, d, scale * left))
        done += max(steps, 1)
        if not np.isfinite(x + step * d).all():
            break
        x = x + step * d
        r = b - A(x)
        state = A.left(b, r), x, r
        gained = state[0] < 0.5 * best[0]
        misses += bool(A.eps) and state[0] >= best[0]
        best = state if state[0] <= best[0] else best
        if ended != _krylov.MAX_ITERATIONS:  # believed too early, or broken down: once more, from the best x
            misses, factor, state = 0 if gained else misses + 1, 0.1 * factor, best
        elif abs(state[0] - size) <= 1e-10 * size:
            break
    return best[1], ended, done


def _start(x0: Any, b: np.ndarray, M: Any) -> np.ndarray:
    if x0 is None or not b.any():
        return np.zeros_like(b)
    return M(b) if isinstance(x0, str) and x0 == "Mb" else _vector("x0", x0, len(b))


def _verdict(A: _Product, b: np.ndarray, x: np.ndarray, limit: float, ended: int) -> int:
    residual = A.left(b, b - A(x)) if x.any() else norm(b)
    return judge(residual=residual, limit=limit, backward_error=0.0 if residual <= limit else A.backward_error(x, b), ended=ended)


def _solve(method: str, A: Any, b: Any, x0: Any, rtol: float, atol: float, maxiter: int | None, M: Any, callback: Any, run: Any,
           cycle: int = 1, host: bool = False, by_norm: bool = False) -> tuple[np.ndarray, int]:
    """`cycle`: the iterations of the device that maxiter counts as one; `host`: not on the device, unless M is a method of it;
    `by_norm`: the callback gets the norm of the residual."""
    if isinstance(M, str) and M not in _PRECONDITIONERS:
        raise ValueError(f"texla: there is no preconditioner {M!r}; there are {', '.join(k for k in _PRECONDITIONERS if k)}")
    if not all(isinstance(t, (int, float, np.number)) and t >= 0 for t in (rtol, atol)):
        raise ValueError(f"texla: rtol is {rtol!r} and atol {atol!r}: they must be numbers, and not negative")
    if maxiter is not None and maxiter < 1:
        raise ValueError(f"texla: maxiter is {maxiter}: maxiter must be an integer not less than 1")
    single = np.float32 == getattr(A, "dtype", None) == getattr(b, "dtype", None)
    A, named = _square(A), isinstance(M, str) and M not in ("auto", "none")
    here = callback is not None or _is_operator(A) or not (M is None or isinstance(M, str))
    if named and here:
        raise ValueError("texla: a preconditioner's name goes with a matrix and without a callback; give M as an operator")
    b = _vector("b", b, A.shape[0])
    size = float(_finite("the norm of b", norm(b)))
    limit = max(rtol * size, atol)
    inverse = (lambda r: r) if M is None or isinstance(M, str) else _Product("M", _operand("M", M))
    x, product = _start(x0, b, inverse), None

    def report(x: np.ndarray, step: float, d: Any, left: float) -> None:
        if callback is not None:
            callback(left / size if by_norm else x + step * d)

    if here or limit >= size or (host and not named):
        product = _Product("A", A)
        x, ended, iterations = _rounds(run, product, inverse, b, x, limit, int(maxiter or 10 * len(b)), report)
    else:
        x, ended, iterations = _whole(method, A, b, x, limit / size, cycle * int(maxiter or 0), M)
        iterations //= cycle
    if single:
        x = x.astype(np.float32)
    if product or single:
        ended = _verdict(product or _Product("A", A), b, x.astype(float), limit, ended)
    return x, 0 if solved(ended) else -ended if ended in _BROKEN else max(iterations, 1)


def cg(A: Any, b: Any, x0: Any = None, *, rtol: float = 1e-5, atol: float = 0.0, maxiter: int | None = None, M: Any = None,
       callback: Any = None) -> tuple[np.ndarray, int]:
    """Conjugate gradients for a symmetric positive definite A.

    Parameters
    ----------
    A : matrix, scipy.sparse matrix or LinearOperator
        Real; a TypeError otherwise, also of b, x0 and M.
    b : array_like
    x0 : array_like or "Mb", optional
        Where to start.
    rtol, atol : float
        The end is ||b - A x|| <= max(rtol ||b||, atol), in double.
    maxiter : int, optional
        The most iterations.
    M : "jacobi", "chebyshev", "mg", "amg", "none", or a matrix or an operator that approximates the inverse of A; optional
    callback : callable, optional
        Called with x (a NumPy array) after each iteration.

    Returns
    -------
    x : numpy.ndarray
        In single precision if A and b are.
    info : int
        0: solved, to the tolerance or as exactly as double allows; more: not, after so many iterations; less: the method broke down.

    Examples
    --------
    >>> import numpy as np, texla
    >>> x, info = texla.sparse.linalg.cg(np.array([[4., 1.], [1., 3.]]), [1., 2.], rtol=1e-8)
    >>> info, np.allclose(x, [1 / 11, 7 / 11])
    (0, True)
    """
    return _solve("cg", A, b, x0, rtol, atol, maxiter, M, callback, _krylov.cg)


def bicgstab(A: Any, b: Any, x0: Any = None, *, rtol: float = 1e-5, atol: float = 0.0, maxiter: int | None = None, M: Any = None,
             callback: Any = None) -> tuple[np.ndarray, int]:
    """BiCGStab for any regular A; as cg."""
    return _solve("bicgstab", A, b, x0, rtol, atol, maxiter, M, callback, _krylov.bicgstab)


def gmres(A: Any, b: Any, x0: Any = None, *, rtol: float = 1e-5, atol: float = 0.0, restart: int | None = None,
          maxiter: int | None = None, M: Any = None, callback: Any = None, callback_type: str | None = None) -> tuple[np.ndarray, int]:
    """GMRES for any regular A, restarted after `restart` iterations (20); as cg.

    As in SciPy maxiter counts restarts, and with a callback of the type "legacy" (the default) iterations. The callback gets x after
    each restart ("x"), or after each iteration the norm of M (b - A x) by that of b ("pr_norm", "legacy").
    """
    kind = callback_type or "legacy"
    if kind not in ("x", "pr_norm", "legacy"):
        raise ValueError(f"texla: gmres: callback_type is 'x', 'pr_norm' or 'legacy', not {kind!r}")
    legacy = callback is not None and kind == "legacy"

    def run(A: Any, M: Any, r: np.ndarray, target: float, most: int, report: Any) -> _krylov.Run:
        size = max(min(restart or 20, len(r), most if legacy else len(r)), 1)
        d, steps, ended = _krylov.gmres(A, M, r, target, size, (lambda *_: None) if kind == "x" else report)
        if kind == "x":
            report(d, 0.0)
        return d, steps if legacy else 1, ended

    return _solve("gmres", A, b, x0, rtol, atol, maxiter, M, callback, run, cycle=restart or 20,
                  host=restart is not None or maxiter is not None, by_norm=kind != "x")


def minres(A: Any, b: Any, x0: Any = None, *, rtol: float = 1e-5, maxiter: int | None = None, M: Any = None,
           callback: Any = None) -> tuple[np.ndarray, int]:
    """MINRES for a symmetric A, also an indefinite one; as cg, always on the host."""
    if isinstance(M, str):
        raise ValueError("texla: minres takes M as an operator")
    return _solve("minres", A, b, x0, rtol, 0.0, maxiter, M, callback, _krylov.minres, host=True)


def spsolve(A: Any, b: Any) -> np.ndarray:
    """x of A x = b for a sparse A, as exactly as double allows, by a method that suits it; LinAlgError if that fails."""
    matrix, b = queue_of(A).array(_square(A)), b.toarray() if hasattr(b, "toarray") else np.asarray(b)
    if b.ndim == 2 and b.shape[1] != 1:
        return np.reshape([spsolve(matrix, column) for column in b.T], b.T.shape).T
    right = _vector("b", b, matrix.shape[0])
    if not right.any():
        return right
    x, reason, _ = _whole("iterate", matrix, right, None, 1e-12, None, None)
    if not solved(reason):
        raise dense.LinAlgError(f"spsolve: not solved: {reason_text(reason)}; A is singular, or too badly conditioned")
    return x


def factorized(A: Any) -> Callable[[Any], np.ndarray]:
    """A function that solves A x = b; A goes to the device once."""
    matrix = queue_of(A).array(_square(A))
    return lambda b: spsolve(matrix, b)
