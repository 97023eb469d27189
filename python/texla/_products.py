"""Products of matrices and vectors."""
from __future__ import annotations

from typing import Any

from ._array import Array
from ._axes import sum
from ._entries import multiply
from ._forms import reshape
from ._library import ShapeError
from ._queue import queue_of
from ._shapes import _shaped, _text

__all__ = ["dot", "matmul", "outer", "tensordot", "vecdot"]


def matmul(x1: Any, x2: Any, /) -> Array:
    """The matrix product, of vectors too.

    >>> import texla
    >>> (texla.eye(3) @ texla.ones(3)).numpy().tolist()
    [1.0, 1.0, 1.0]
    """
    queue = queue_of(x1, x2)
    a, b = queue.array(x1), queue.array(x2)
    if a.ndim == 0 or b.ndim == 0:
        raise ValueError("matmul: a number is no matrix")
    if a.shape[-1] != b.shape[0]:
        raise ShapeError(f"matmul: the operands are {_text(a)} and {_text(b)}: {a.shape[-1]} columns, but {b.shape[0]} rows")
    left = _shaped(a, (1, a.shape[0])) if a.ndim == 1 else a
    made = Array(queue, queue.submit("multiply", left, b)[0], 2)
    shape = a.shape[:-1] + b.shape[1:]
    return _shaped(made, shape)


def vecdot(x1: Any, x2: Any, /, *, axis: int = -1) -> Array:
    """The dot products along an axis."""
    return sum(multiply(x1, x2), axis=axis)


def outer(x1: Any, x2: Any, /) -> Array:
    """x1 x2^T."""
    queue = queue_of(x1, x2)
    a, b = queue.array(x1), queue.array(x2)
    return multiply(reshape(a, (-1, 1)), reshape(b, (1, -1)))


def tensordot(x1: Any, x2: Any, /, *, axes: int = 2) -> Array:
    """The product over the last and first axis (axes=1), over all (2), or over none (0)."""
    if axes == 0:
        return outer(x1, x2)
    return matmul(x1, x2) if axes == 1 else sum(multiply(x1, x2))


def dot(x1: Any, x2: Any, /) -> Array:
    """The matrix product, as NumPy's dot."""
    return matmul(x1, x2)
