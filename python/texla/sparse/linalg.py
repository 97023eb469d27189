"""Solvers with the names, arguments and return values of scipy.sparse.linalg.

Where A is a matrix and M a name of a preconditioner (or none), whole iterations run on the device (`clSystem`), refined until the
true residual in double meets the tolerance. With a callback, or where A or M is a LinearOperator, each step is a few operations on
vectors of the device, in single precision.
"""
from __future__ import annotations

from typing import Any, Callable

import numpy as np

from .. import _functions as f
from .._array import Array
from .._queue import queue_of
from .. import linalg as dense

__all__ = ["LinearOperator", "aslinearoperator", "bicgstab", "cg", "factorized", "gmres", "minres", "spsolve"]

_PRECONDITIONERS = {None: 0.0, "auto": 0.0, "none": 1.0, "jacobi": 2.0, "chebyshev": 3.0, "mg": 4.0, "amg": 5.0}
_SOLVED, _MAX_ITERATIONS = (1, 12), 3


class LinearOperator:
    """A matrix that is known by its products with vectors.

    Parameters
    ----------
    shape : (int, int)
        Rows and columns.
    matvec : callable
        Array -> Array: A x.
    rmatvec : callable, optional
        A^T x.
    """

    def __init__(self, shape: tuple[int, int], matvec: Callable[[Any], Any], rmatvec: Callable[[Any], Any] | None = None,
                 dtype: Any = None) -> None:
        self.shape, self._matvec, self._rmatvec, self.dtype = tuple(shape), matvec, rmatvec, np.dtype(dtype or np.float32)

    def matvec(self, x: Any) -> Array:
        """A x."""
        return f.asarray(self._matvec(x))

    def rmatvec(self, x: Any) -> Array:
        """A^T x."""
        if self._rmatvec is None:
            raise NotImplementedError("this LinearOperator has no rmatvec")
        return f.asarray(self._rmatvec(x))

    def __matmul__(self, x: Any) -> Array:
        return self.matvec(x)

    __call__ = __matmul__


def aslinearoperator(A: Any) -> LinearOperator:
    """A matrix (Array, NumPy, SciPy sparse) or an operator of SciPy or of one's own as a LinearOperator."""
    if isinstance(A, LinearOperator):
        return A
    if hasattr(A, "matvec") and not isinstance(A, Array):
        return LinearOperator(A.shape, lambda x: A.matvec(np.asarray(x)), lambda x: A.rmatvec(np.asarray(x)))
    matrix = queue_of(A).array(A)
    return LinearOperator((matrix.shape[0], matrix.shape[1]), lambda x: f.matmul(matrix, x),
                          lambda x: f.reshape(matrix._queue.call("multiply", matrix, x, 1.0), -1))


def _is_operator(A: Any) -> bool:
    return isinstance(A, LinearOperator) or (hasattr(A, "matvec") and not isinstance(A, Array))


def _right(A: Any, b: Any) -> np.ndarray:
    right = np.asarray(b, dtype=float)
    if right.ndim > 1:
        if right.shape[1:] != (1,):
            raise ValueError(f"texla: b has to be one right-hand side, not of shape {right.shape}")
        right = right[:, 0]
    if A.shape[0] != A.shape[1] or A.shape[0] != right.shape[0]:
        raise ValueError(f"texla: A is {A.shape[0]} x {A.shape[1]}, and b has {right.shape[0]} numbers")
    return right


def _threshold(rtol: float, atol: float, b: np.ndarray) -> float:
    """The relative tolerance that stands for ||r|| <= max(rtol ||b||, atol)."""
    norm = float(np.linalg.norm(b))
    return max(rtol, atol / norm) if norm > 0 else rtol


def _whole(method: str, A: Any, b: np.ndarray, x0: Any, rtol: float, maxiter: int | None, M: Any) -> tuple[np.ndarray, int]:
    """All iterations on the device."""
    matrix = queue_of(A).array(A)
    start = [] if x0 is None else [np.asarray(x0, dtype=float).ravel()]
    limit = float(maxiter or 0)
    x, info = matrix._queue.call(method, matrix, b, rtol, limit, _PRECONDITIONERS[M], *start, results=2)
    reason, _, iterations, _ = np.asarray(info, dtype=float).ravel()
    values = np.asarray(x, dtype=float).reshape(-1)
    if reason in _SOLVED:
        return values, 0
    return values, max(int(iterations), 1) if reason == _MAX_ITERATIONS or iterations else -1


def _solve(method: str, A: Any, b: Any, x0: Any, rtol: float, atol: float, maxiter: int | None, M: Any, callback: Any,
           steps: Callable[..., tuple[Array, int]]) -> tuple[np.ndarray, int]:
    right = _right(A, b)
    if not np.any(right):
        return np.zeros_like(right), 0
    tolerance = _threshold(rtol, atol, right)
    by_name = M is None or (isinstance(M, str) and M in _PRECONDITIONERS)
    if isinstance(M, str) and not by_name:
        raise ValueError(f"texla: there is no preconditioner {M!r}; there are {', '.join(k for k in _PRECONDITIONERS if k)}")
    if by_name and callback is None and not _is_operator(A):
        return _whole(method, A, right, x0, tolerance, maxiter, M)
    if isinstance(M, str):
        raise ValueError("texla: a preconditioner's name goes with a matrix and without a callback; give M as an operator")
    operator = aslinearoperator(A)
    precondition = (lambda r: r) if M is None else aslinearoperator(M).matvec
    x = f.zeros(len(right)) if x0 is None else f.asarray(np.asarray(x0, dtype=np.float32).ravel())
    limit = tolerance * float(np.linalg.norm(right))
    x, info = steps(operator.matvec, f.asarray(right.astype(np.float32)), x, limit, maxiter or 10 * len(right), precondition,
                    callback or (lambda _: None))
    return x.numpy(np.float64), info


def _norm(r: Array) -> float:
    return float(dense.vector_norm(r))


def _dot(x: Array, y: Array) -> float:
    return float(f.sum(f.multiply(x, y)))


def _cg_steps(A: Any, b: Array, x: Array, limit: float, most: int, M: Any, callback: Any) -> tuple[Array, int]:
    r = b - A(x)
    p, rho = r, 0.0
    for k in range(most):
        if _norm(r) <= limit:
            return x, 0
        z = M(r)
        before, rho = rho, _dot(r, z)
        p = z if k == 0 else z + (rho / before) * p
        q = A(p)
        curvature = _dot(p, q)
        if curvature == 0:
            return x, -1
        x, r = x + (rho / curvature) * p, r - (rho / curvature) * q
        callback(x)
    return x, 0 if _norm(b - A(x)) <= limit else most


def _bicgstab_steps(A: Any, b: Array, x: Array, limit: float, most: int, M: Any, callback: Any) -> tuple[Array, int]:
    r = b - A(x)
    shadow, p = r, r
    rho = _dot(shadow, r)
    for k in range(most):
        if _norm(r) <= limit:
            return x, 0
        ph = M(p)
        v = A(ph)
        below = _dot(shadow, v)
        if below == 0 or rho == 0:
            return x, -10
        alpha = rho / below
        s = r - alpha * v
        sh = M(s)
        t = A(sh)
        tt = _dot(t, t)
        omega = _dot(t, s) / tt if tt else 0.0
        x = x + alpha * ph + omega * sh
        r = s - omega * t
        callback(x)
        if omega == 0:
            return x, 0 if _norm(r) <= limit else -11
        before, rho = rho, _dot(shadow, r)
        p = r + (rho / before * alpha / omega) * (p - omega * v)
    return x, 0 if _norm(b - A(x)) <= limit else most


def _gmres_steps(A: Any, b: Array, x: Array, limit: float, most: int, M: Any, callback: Any,
                 restart: int = 20) -> tuple[Array, int]:
    """Right preconditioned, so that the residual that is judged is the true one."""
    done = 0
    while done < most:
        r = b - A(x)
        beta = _norm(r)
        if beta <= limit:
            return x, 0
        V, Z, H = [r / beta], [], np.zeros((restart + 1, restart))
        size = 0
        for j in range(min(restart, most - done)):
            Z.append(M(V[j]))
            w = A(Z[j])
            for i, v in enumerate(V):
                H[i, j] = _dot(w, v)
                w = w - H[i, j] * v
            H[j + 1, j] = _norm(w)
            size, done = j + 1, done + 1
            y, left = _least(H[:size + 1, :size], beta)
            callback(left)
            if left <= limit or H[j + 1, j] == 0:
                break
            V.append(w / H[j + 1, j])
        for weight, z in zip(y, Z):
            x = x + float(weight) * z
    return x, 0 if _norm(b - A(x)) <= limit else most


def _least(H: np.ndarray, beta: float) -> tuple[np.ndarray, float]:
    """min || beta e_1 - H y ||: y, and the norm that is left."""
    right = np.zeros(H.shape[0])
    right[0] = beta
    y = np.linalg.lstsq(H, right, rcond=None)[0]
    return y, float(np.linalg.norm(right - H @ y))


def _minres_steps(A: Any, b: Array, x: Array, limit: float, most: int, M: Any, callback: Any) -> tuple[Array, int]:
    """Lanczos vectors and Givens rotations (Paige and Saunders 1975), started anew where single precision has lost the residual."""
    done = 0
    while done < most:
        r = b - A(x)
        before = _norm(r)
        if before <= limit:
            return x, 0
        x, steps = _minres_run(A, r, x, limit, most - done, M, callback)
        done += max(steps, 1)
        if _norm(b - A(x)) > 0.5 * before:
            break
    return x, 0 if _norm(b - A(x)) <= limit else most


def _minres_run(A: Any, r: Array, x: Any, limit: float, most: int, M: Any, callback: Any) -> tuple[Array, int]:
    r1: Any = None
    r2: Any = r
    y = M(r)
    beta = float(np.sqrt(max(_dot(r, y), 0.0)))
    if beta == 0:
        return x, 0
    scale = _norm(r) / beta  # from the norm of M to the Euclidean one
    w: Any = 0.0 * x
    w2: Any = w
    beta_before, eps, dbar, phibar, cs, sn = 0.0, 0.0, 0.0, beta, -1.0, 0.0
    for k in range(most):
        v = y / beta
        y = A(v)
        if r1 is not None:
            y = y - (beta / beta_before) * r1
        alpha = _dot(v, y)
        y = y - (alpha / beta) * r2
        r1, r2 = r2, y
        y = M(r2)
        beta_before, beta = beta, float(np.sqrt(max(_dot(r2, y), 0.0)))
        eps_before, delta = eps, cs * dbar + sn * alpha
        gbar, eps, dbar = sn * dbar - cs * alpha, sn * beta, -cs * beta
        gamma = float(np.hypot(gbar, beta)) or 1e-30
        cs, sn = gbar / gamma, beta / gamma
        phi, phibar = cs * phibar, sn * phibar
        w1, w2 = w2, w
        w = (v - eps_before * w1 - delta * w2) / gamma
        x = x + phi * w
        callback(x)
        if phibar * scale <= 0.5 * limit or beta == 0:
            return x, k + 1
    return x, most


def cg(A: Any, b: Any, x0: Any = None, *, rtol: float = 1e-5, atol: float = 0.0, maxiter: int | None = None, M: Any = None,
       callback: Any = None) -> tuple[np.ndarray, int]:
    """Conjugate gradients for a symmetric positive definite A.

    Parameters
    ----------
    A : matrix, scipy.sparse matrix or LinearOperator
    b : array_like
    x0 : array_like, optional
        Where to start.
    rtol, atol : float
        The end is ||b - A x|| <= max(rtol ||b||, atol).
    maxiter : int, optional
        The most iterations.
    M : "jacobi", "chebyshev", "mg", "amg", "none", or an operator that approximates the inverse of A; optional
    callback : callable, optional
        Called with x (an Array) after each iteration.

    Returns
    -------
    x : numpy.ndarray
    info : int
        0: converged; more: not, after so many iterations; less: the method broke down.

    Examples
    --------
    >>> import numpy as np, texla
    >>> x, info = texla.sparse.linalg.cg(np.array([[4., 1.], [1., 3.]]), [1., 2.], rtol=1e-8)
    >>> info, np.allclose(x, [1 / 11, 7 / 11])
    (0, True)
    """
    return _solve("cg", A, b, x0, rtol, atol, maxiter, M, callback, _cg_steps)


def bicgstab(A: Any, b: Any, x0: Any = None, *, rtol: float = 1e-5, atol: float = 0.0, maxiter: int | None = None, M: Any = None,
             callback: Any = None) -> tuple[np.ndarray, int]:
    """BiCGStab for any regular A; as cg."""
    return _solve("bicgstab", A, b, x0, rtol, atol, maxiter, M, callback, _bicgstab_steps)


def gmres(A: Any, b: Any, x0: Any = None, *, rtol: float = 1e-5, atol: float = 0.0, restart: int | None = None,
          maxiter: int | None = None, M: Any = None, callback: Any = None, callback_type: str | None = None) -> tuple[np.ndarray, int]:
    """Restarted GMRES for any regular A; as cg. The callback gets the norm of the residual."""
    def steps(*arguments: Any) -> tuple[Array, int]:
        A, b, x, limit, most, M, callback = arguments
        return _gmres_steps(A, b, x, limit, most, M, callback, restart or 20)

    return _solve("gmres", A, b, x0, rtol, atol, maxiter, M, callback, steps)


def minres(A: Any, b: Any, x0: Any = None, *, rtol: float = 1e-5, maxiter: int | None = None, M: Any = None,
           callback: Any = None) -> tuple[np.ndarray, int]:
    """MINRES for a symmetric A, also an indefinite one; as cg, always over vectors of the device."""
    if isinstance(M, str):
        raise ValueError("texla: minres takes M as an operator")
    return _solve("minres", aslinearoperator(A), b, x0, rtol, 0.0, maxiter, M, callback, _minres_steps)


def spsolve(A: Any, b: Any) -> np.ndarray:
    """x of A x = b for a sparse A, to double accuracy, by a method that suits it; LinAlgError where that fails."""
    right = np.asarray(b, dtype=float)
    if right.ndim == 2 and right.shape[1] != 1:
        return np.column_stack([spsolve(A, column) for column in right.T])
    x, info = _whole("iterate", A, _right(A, right), None, 1e-12, None, None)
    if info:
        raise dense.LinAlgError("spsolve: A is singular, or the iteration did not reach 12 digits")
    return x.reshape(right.shape)


def factorized(A: Any) -> Callable[[Any], np.ndarray]:
    """A function that solves A x = b; A goes to the device once."""
    matrix = queue_of(A).array(A)
    return lambda b: np.asarray(spsolve(matrix, b))
