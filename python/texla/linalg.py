"""Linear algebra with the names and arguments of numpy.linalg.

Systems are solved to double accuracy; factors are of single precision. NumPy arrays and Arrays go in, Arrays come out.
"""
from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from . import _functions as f
from ._array import Array
from ._library import NOT_FINITE, Error, NotFinite
from ._queue import queue_of

__all__ = ["LinAlgError", "QR", "SlogDet", "cholesky", "cond", "cross", "crout", "det", "diagonal", "eigh", "eigvalsh", "inv", "lstsq", "lu", "matmul",
           "matrix_norm", "matrix_power", "matrix_rank", "matrix_transpose", "norm", "outer", "pinv", "qr", "slogdet", "solve", "svd", "svdvals",
           "tensordot", "trace", "vecdot", "vector_norm"]

LinAlgError = np.linalg.LinAlgError
_SINGULAR = -12


class QR(NamedTuple):
    """What qr returns."""
    Q: Array
    R: Array


class Eigh(NamedTuple):
    """What eigh returns."""
    eigenvalues: Array
    eigenvectors: Array


class SVD(NamedTuple):
    """What svd returns."""
    U: Array
    S: Array
    Vh: Array


class SlogDet(NamedTuple):
    """What slogdet returns."""
    sign: Array
    logabsdet: Array


matmul, outer, tensordot, vecdot, matrix_transpose = f.matmul, f.outer, f.tensordot, f.vecdot, f.matrix_transpose


def _matrix(call: str, x: Any) -> Array:
    a = queue_of(x).array(x)
    if a.ndim != 2:
        raise LinAlgError(f"{call}: a matrix is needed, and this array has {a.ndim} dimensions")
    return a


def _square(call: str, x: Any) -> Array:
    a = _matrix(call, x)
    if a.shape[0] != a.shape[1]:
        raise LinAlgError(f"{call}: the matrix is {a.shape[0]} x {a.shape[1]}, and must be square")
    return a


def _finished(call: str, *values: Array) -> None:
    """Waits; a singular matrix is NumPy's LinAlgError."""
    try:
        for value in values:
            value.wait()
    except Error as error:
        if error.status == _SINGULAR:
            raise LinAlgError(f"{call}: {error}") from error
        raise


def solve(a: Any, b: Any, /) -> Array:
    """x of a x = b, to double accuracy.

    Parameters
    ----------
    a : array_like or scipy.sparse matrix
        Square.
    b : array_like
        A right-hand side, or several as columns.

    Raises
    ------
    LinAlgError
        Where a is singular.

    Examples
    --------
    >>> import texla
    >>> texla.linalg.solve([[2., 1.], [1., 3.]], [3., 4.]).numpy().round(12).tolist()
    [1.0, 1.0]
    """
    A = _square("solve", a)
    right = A._queue.array(b)
    x = A._queue.call("solve", A, right)
    _finished("solve", x)
    return x


def _shortest(a: np.ndarray, b: np.ndarray, rank: int) -> np.ndarray:
    """The least squares solution by the `rank` largest singular values; by NumPy on the host."""
    U, s, Vh = np.linalg.svd(a, full_matrices=False)
    return Vh[:rank].T @ ((U[:, :rank].T @ b).T / s[:rank]).T


def lstsq(a: Any, b: Any, rcond: float | None = None) -> tuple[Array, Array, int, Array]:
    """The x that makes ||b - a x|| least, to double accuracy; the shortest one where there are many.

    Returns
    -------
    x, residuals, rank, s
        As numpy.linalg.lstsq: the singular values s are by NumPy on the host, rank counts those above rcond times the largest, and
        residuals are empty where it is not full or a has no more rows than columns.
    """
    A = _matrix("lstsq", a)
    right = A._queue.array(b)
    matrix, rights = np.asarray(A, dtype=float), np.asarray(right, dtype=float)
    if not (np.isfinite(matrix).all() and np.isfinite(rights).all()):  # with which NumPy's svd may never end
        raise NotFinite(NOT_FINITE, "lstsq: a or b is not finite: it has NaN or infinities")
    s = np.asarray(svdvals(A))
    rank = int((s > _threshold(A, rcond) * s.max(initial=0)).sum())
    x = A._queue.call("solve", A, right) if rank == min(A.shape) else A._queue.array(_shortest(matrix, rights, rank))
    _finished("lstsq", x)
    left = rights - matrix @ np.asarray(x)
    full = rank == A.shape[1] and A.shape[0] > A.shape[1]
    residuals = np.atleast_1d((left * left).sum(axis=0)) if full else np.zeros(0)
    return x, A._queue.array(residuals), rank, A._queue.array(s)


def cholesky(a: Any, /, *, upper: bool = False) -> Array:
    """L of a = L L^T, or with `upper` its transpose.

    Raises
    ------
    LinAlgError
        Where a is not positive definite.
    """
    A = _square("cholesky", a)
    if A.size == 0:
        return A
    factor, column = A._queue.call("cholesky", A, 0.0 if upper else 1.0, results=2)
    wrong = int(np.asarray(column).ravel()[0])
    if wrong:
        raise LinAlgError(f"cholesky: the matrix is not positive definite: column {wrong} shows it")
    return factor


def lu(a: Any, /) -> tuple[Array, Array, Array]:
    """p, L and U of a[p, :] = L U: the rows in their order, counted from 0."""
    A = _matrix("lu", a)
    L, U, p = A._queue.call("lu", A, results=3)
    rows = f.reshape(f.subtract(p, 1.0), -1)
    rows._kind = "i"
    return rows, L, U


def crout(a: Any, /, *, section: int = 0, order: str = "antidiagonal", sweep: str = "tiles", tolerance: float = 0.0) -> tuple[Array, Array]:
    """L and U of a = L U without pivoting; U has ones on its diagonal.

    Parameters
    ----------
    section
        Rows of a section; 0: n / 10, from 256 to 1024.
    order
        "antidiagonal": all sections of an anti-diagonal at once; "sequential": pair after pair.
    sweep
        "tiles" of 8 x 8 entries, exact; "entries": all of a section until none changes by more than `tolerance`.
    """
    A = _square("crout", a)
    orders, sweeps = ("antidiagonal", "sequential"), ("tiles", "entries")
    if order not in orders or sweep not in sweeps:
        raise ValueError(f"crout: order is one of {orders}, sweep one of {sweeps}, not {order!r} and {sweep!r}")
    if A.size == 0:
        return A, A
    Z = A._queue.call("crout", A, float(section), float(orders.index(order)), float(sweeps.index(sweep)), float(tolerance))
    return A._queue.call("tril", Z, 0.0), f.add(A._queue.call("triu", Z, 1.0), A._queue.array(np.eye(A.shape[0])))


def qr(a: Any, /, *, mode: str = "reduced") -> QR:
    """Q and R of a = Q R; mode "reduced" or "complete"."""
    if mode not in ("reduced", "complete"):
        raise ValueError(f"qr: mode is 'reduced' or 'complete', not {mode!r}")
    A = _matrix("qr", a)
    Q, R, order = A._queue.call("qr", A, 0.0, float(mode == "reduced"), results=3)
    return QR(Q, R)


def inv(a: Any, /) -> Array:
    """The inverse of a square matrix."""
    A = _square("inv", a)
    x = A._queue.call("inverse", A)
    _finished("inv", x)
    return x


def pinv(a: Any, /, *, rtol: Any = None) -> Array:
    """The pseudoinverse: the shortest least squares solutions of a X = I; singular values up to rtol times the largest count as 0."""
    A = _matrix("pinv", a)
    return lstsq(A, np.eye(A.shape[0]), rtol)[0]


def _scaled(a: Array) -> tuple[Array, int]:
    """a times powers of two, one for each row and then each column, which bring the largest entry of each near 1, and the sum of their
    exponents: the determinant of a is that of the result times 2 to the power of it. Single precision holds no determinant of 1e-100 I."""
    x = np.asarray(a, dtype=float)
    if not x.size or not np.isfinite(x).all():
        return a, 0
    rows = np.frexp(np.abs(x).max(axis=1, keepdims=True))[1]
    x = np.ldexp(x, -rows)
    cols = np.frexp(np.abs(x).max(axis=0, keepdims=True))[1]
    return a._queue.array(np.ldexp(x, -cols)), int(rows.sum() + cols.sum())


def det(a: Any, /) -> Array:
    """The determinant of a square matrix; infinite or 0 where doubles do not hold it.

    Examples
    --------
    >>> import texla
    >>> print("%.6g" % texla.linalg.det([[2e-100, 0.], [0., 3e-100]]))
    6e-200
    """
    A, exponent = _scaled(_square("det", a))
    with np.errstate(over="ignore", under="ignore"):
        value = np.ldexp(float(f.reshape(A._queue.call("determinant", A), ())), exponent)
    return A._queue.array(value)


def slogdet(a: Any, /) -> SlogDet:
    """The sign of the determinant, and the logarithm of its magnitude, from the pivots of L U."""
    A, exponent = _scaled(_square("slogdet", a))
    p, L, U = lu(A)
    d = f.reshape(A._queue.call("diagonal", U, 0.0), -1)
    order = np.asarray(p)
    seen, swaps = np.zeros(len(order), dtype=bool), 0
    for k in range(len(order)):  # a cycle of m places is m - 1 exchanges
        length = 0
        while not seen[k]:
            seen[k], k, length = True, int(order[k]), length + 1
        swaps += max(length - 1, 0)
    sign = f.multiply(-1.0 if swaps % 2 else 1.0, f.prod(f.sign(d)))
    return SlogDet(sign, f.add(f.sum(f.log(f.abs(d))), exponent * float(np.log(2))))


def _threshold(a: Array, given: float | None) -> float:
    """Singular values below this times the largest count as 0: NumPy's rule for the array's type."""
    return max(a.shape) * float(np.finfo(a.dtype if a.dtype.kind == "f" else np.float64).eps) if given is None else float(given)


def matrix_rank(a: Any, /, *, rtol: float | None = None) -> int:
    """How many singular values are larger than rtol times the largest; by NumPy on the host.

    Parameters
    ----------
    rtol : float, optional
        Without it max(rows, columns) times the roundoff of the array's type.
    """
    A = _matrix("matrix_rank", a)
    s = np.asarray(svdvals(A))
    return int((s > _threshold(A, rtol) * s.max(initial=0)).sum())


def svdvals(x: Any, /) -> Array:
    """Singular values, the largest first; by NumPy on the host, in double precision."""
    a = _matrix("svdvals", x)
    return a._queue.array(np.linalg.svd(np.asarray(a, dtype=float), compute_uv=False))


def svd(x: Any, /, *, full_matrices: bool = True) -> SVD:
    """U, S and Vh of x = U diag(S) Vh; by NumPy on the host, in double precision."""
    a = _matrix("svd", x)
    return SVD(*map(a._queue.array, np.linalg.svd(np.asarray(a, dtype=float), full_matrices)))


def eigvalsh(x: Any, /) -> Array:
    """Eigenvalues of a symmetric matrix, the smallest first, from its lower triangle; by NumPy on the host, in double precision."""
    a = _square("eigvalsh", x)
    return a._queue.array(np.linalg.eigvalsh(np.asarray(a, dtype=float)))


def eigh(x: Any, /) -> Eigh:
    """Eigenvalues and eigenvectors (columns) of a symmetric matrix; by NumPy on the host, in double precision."""
    a = _square("eigh", x)
    return Eigh(*map(a._queue.array, np.linalg.eigh(np.asarray(a, dtype=float))))


def vector_norm(x: Any, /, *, axis: Any = None, keepdims: bool = False, ord: float = 2) -> Array:
    """A norm of vectors along an axis, or of all entries: ord is 1, 2, inf, -inf, 0 or another number."""
    a = f.abs(x)
    if ord == np.inf:
        return f.max(a, axis=axis, keepdims=keepdims)
    if ord == -np.inf:
        return f.min(a, axis=axis, keepdims=keepdims)
    if ord == 0:
        return f.sum(f.not_equal(a, 0.0), axis=axis, keepdims=keepdims)
    if ord == 1:
        return f.sum(a, axis=axis, keepdims=keepdims)
    # squares of numbers between 0 and 1 neither overflow nor vanish together
    largest = f.max(a, axis=axis, keepdims=True) if a.size else f.sum(a, axis=axis, keepdims=True)
    scale = f.where(f.logical_and(f.isfinite(largest), f.greater(largest, 0.0)), largest, 1.0)
    powers = f.pow(f.divide(a, scale), float(ord))
    total = f.multiply(f.pow(f.sum(powers, axis=axis, keepdims=True), 1.0 / ord), scale)
    return total if keepdims else f.reshape(total, f.sum(a, axis=axis).shape)


def matrix_norm(x: Any, /, *, keepdims: bool = False, ord: Any = "fro") -> Array:
    """A norm of a matrix: "fro", 1, -1, inf, -inf; 2, -2 and "nuc" from its singular values, by NumPy on the host."""
    a = _matrix("matrix_norm", x)
    if ord == "fro":
        return vector_norm(a, keepdims=keepdims)
    if ord in (1, -1, np.inf, -np.inf):
        sums = f.sum(f.abs(a), axis=0 if ord in (1, -1) else 1)
        value = f.max(sums) if ord in (1, np.inf) else f.min(sums)
    elif ord in (2, -2, "nuc"):
        value = a._queue.array(np.linalg.norm(np.asarray(a, dtype=float), ord))
    else:
        raise ValueError(f"matrix_norm: there is no norm {ord!r}")
    return f.reshape(value, (1, 1)) if keepdims else value


def norm(x: Any, ord: Any = None, axis: Any = None, keepdims: bool = False) -> Array:
    """A norm as numpy.linalg.norm has it.

    Examples
    --------
    >>> import texla
    >>> float(texla.linalg.norm([3., 4.]))
    5.0
    """
    a = queue_of(x).array(x)
    if ord is None:
        return vector_norm(a, axis=axis, keepdims=keepdims)
    if axis is None and a.ndim == 2:
        return matrix_norm(a, ord=ord, keepdims=keepdims)
    return vector_norm(a, ord=ord, axis=axis, keepdims=keepdims)


def cond(x: Any, p: Any = None) -> float:
    """The condition of a square matrix in norm p: 1, -1, inf, -inf and "fro" by its inverse, None, 2 and -2 by NumPy on the host."""
    a = _matrix("cond", x)
    if p in (None, 2, -2, "nuc"):
        return float(np.linalg.cond(np.asarray(a, dtype=float), p))
    try:
        return float(matrix_norm(_square("cond", a), ord=p)) * float(matrix_norm(inv(a), ord=p))
    except LinAlgError:
        return float("inf")


def matrix_power(x: Any, n: int, /) -> Array:
    """x multiplied n times; of a negative n its inverse."""
    a = _square("matrix_power", x)
    if n < 0:
        a, n = inv(a), -n
    result = None
    while n:
        if n & 1:
            result = a if result is None else f.matmul(result, a)
        n >>= 1
        if n:
            a = f.matmul(a, a)
    return f.eye(a.shape[0]) if result is None else result


def diagonal(x: Any, /, *, offset: int = 0) -> Array:
    """A diagonal, as a vector."""
    a = _matrix("diagonal", x)
    return f.reshape(a._queue.call("diagonal", a, float(offset)), -1)


def trace(x: Any, /, *, offset: int = 0, dtype: Any = None) -> Array:
    """The sum of a diagonal."""
    return f.sum(diagonal(x, offset=offset))


def cross(x1: Any, x2: Any, /, *, axis: int = -1) -> Array:
    """The cross product of vectors of three numbers."""
    a, b = f.asarray(x1), f.asarray(x2)
    if a.shape != (3,) or b.shape != (3,):
        raise ValueError("cross: both have to be vectors of three numbers")
    after, before = [1, 2, 0], [2, 0, 1]
    return f.subtract(f.multiply(a[after], b[before]), f.multiply(a[before], b[after]))
