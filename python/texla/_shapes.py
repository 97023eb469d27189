"""How arrays of up to two dimensions are stored as matrices, and operations on them."""
from __future__ import annotations

import builtins
from typing import Any, Sequence

import numpy as np

from ._array import Array
from ._library import ShapeError
from ._queue import queue_of


def _stored(shape: Sequence[int]) -> tuple[int, int]:
    """The matrix that holds an array: a number is 1 x 1, a vector a column."""
    rows = shape[0] if len(shape) > 0 else 1
    cols = shape[1] if len(shape) > 1 else 1
    return rows, cols


def _alias(a: Array, ndim: int, kind: str | None = None) -> Array:
    """The same value with another number of dimensions or type."""
    a._queue._call("clQueueRetain", a._id)
    return Array(a._queue, a._id, ndim, kind or a._kind, a._sparse)


def _shaped(a: Array, shape: Sequence[int]) -> Array:
    """The same entries, row after row, in another shape."""
    wanted = _stored(shape)
    queue = a._queue
    if a._size == wanted:
        return a if a.ndim == len(shape) else _alias(a, len(shape))
    if 1 in a._size and 1 in wanted:
        return Array(queue, queue.submit("transpose", a)[0], len(shape), a._kind)
    turned = Array(queue, queue.submit("transpose", a)[0], 2, a._kind)
    reshaped = Array(queue, queue.submit("reshape", turned, wanted[1], wanted[0])[0], 2, a._kind)
    return Array(queue, queue.submit("transpose", reshaped)[0], len(shape), a._kind)


def _text(a: Array) -> str:
    return " x ".join(map(str, a.shape))


def _number(x: Any) -> builtins.bool:
    return np.isscalar(x) or (isinstance(x, np.ndarray) and x.ndim == 0)


def _map(name: str, *operands: Any, kind: str = "f") -> Array:
    """An operation entry by entry, with NumPy's broadcasting: a vector beside a matrix is a row."""
    queue = queue_of(*operands)
    if builtins.all(_number(x) for x in operands):
        operands = (queue.array(operands[0]), *operands[1:])
    values = [float(x) if _number(x) else queue.array(x) for x in operands]
    arrays = [x for x in values if isinstance(x, Array)]
    try:
        shape = np.broadcast_shapes(*(x.shape for x in arrays))
    except ValueError:
        raise ShapeError(f"{name}: shapes {' and '.join(str(x.shape) for x in arrays)} do not fit together") from None
    listed = []
    for x in values:
        if isinstance(x, Array) and x.ndim == 1 and len(shape) == 2:
            x = _shaped(x, (1, x.shape[0]))
        listed.append(x)
    return Array(queue, queue.submit(name, *listed)[0], len(shape), kind)


def _one(name: str, x: Any, kind: str = "f") -> Array:
    a = queue_of(x).array(x)
    return Array(a._queue, a._queue.submit(name, a)[0], a.ndim, kind)


def _matrix(name: str, x: Any) -> Array:
    a = queue_of(x).array(x)
    if a.ndim != 2:
        raise ValueError(f"{name}: a matrix is needed, and this array has {a.ndim} dimensions")
    return a


def _alias_kind(a: Array, kind: str) -> Array:
    a._kind = kind
    return a
