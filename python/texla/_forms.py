"""Functions of the array API standard that give entries another shape."""
from __future__ import annotations

import builtins
import math
from typing import Any, Sequence

import numpy as np

from ._array import Array
from ._creation import asarray
from ._queue import queue_of
from ._shapes import _matrix, _shaped, _stored

__all__ = ["broadcast_arrays", "broadcast_to", "concat", "expand_dims", "matrix_transpose", "permute_dims", "reshape", "squeeze",
           "stack", "tile", "transpose"]


def reshape(x: Any, /, shape: Any, *, copy: builtins.bool | None = None) -> Array:
    """The same entries, row after row, in another shape; one side may be -1."""
    a = queue_of(x).array(x)
    wanted: list[int] = [int(s) for s in np.atleast_1d(np.asarray(shape, dtype=int))]
    if wanted.count(-1) == 1:
        rest = math.prod(s for s in wanted if s != -1)
        if rest and a.size % rest == 0:
            wanted[wanted.index(-1)] = a.size // rest
    if len(wanted) > 2 or builtins.any(s < 0 for s in wanted) or math.prod(wanted) != a.size:
        raise ValueError(f"cannot reshape an array of {a.size} entries into shape {shape}")
    return _shaped(a, wanted)


def transpose(x: Any, /) -> Array:
    """The transpose of a matrix; a vector is its own."""
    a = queue_of(x).array(x)
    return a if a.ndim < 2 else Array(a._queue, a._queue.submit("transpose", a)[0], 2, a._kind, a._sparse)


def matrix_transpose(x: Any, /) -> Array:
    """The transpose of a matrix."""
    return transpose(_matrix("matrix_transpose", x))


def permute_dims(x: Any, /, axes: Sequence[int]) -> Array:
    """x, or with axes (1, 0) its transpose."""
    a = queue_of(x).array(x)
    order = [k % builtins.max(a.ndim, 1) for k in axes]
    if sorted(order) != list(range(a.ndim)):
        raise ValueError(f"permute_dims: {tuple(axes)} are not the axes of an array of {a.ndim} dimensions")
    return a if order == list(range(a.ndim)) else transpose(a)


def broadcast_to(x: Any, /, shape: Any) -> Array:
    """x, repeated until it has that shape."""
    a = queue_of(x).array(x)
    shape = (shape,) if np.isscalar(shape) else tuple(shape)
    if np.broadcast_shapes(a.shape, shape) != shape or len(shape) > 2:
        raise ValueError(f"an array of shape {a.shape} cannot be broadcast to {shape}")
    if a.ndim == 1 and len(shape) == 2:
        a = _shaped(a, (1, a.shape[0]))
    wanted = _stored(shape)
    times = [w // s if s else 1 for w, s in zip(wanted, a._size)]
    if times == [1, 1]:
        return _shaped(a, shape)
    return Array(a._queue, a._queue.submit("repmat", a, *map(float, times))[0], len(shape), a._kind)


def broadcast_arrays(*arrays: Any) -> list[Array]:
    """All of them in their common shape."""
    made = [asarray(x) for x in arrays]
    shape = np.broadcast_shapes(*(x.shape for x in made))
    return [broadcast_to(x, shape) for x in made]


def expand_dims(x: Any, /, *, axis: int = 0) -> Array:
    """x with a new axis of length 1."""
    a = queue_of(x).array(x)
    at = axis + a.ndim + 1 if axis < 0 else axis
    if not 0 <= at <= a.ndim:
        raise IndexError(f"expand_dims: axis {axis} is out of bounds for {a.ndim} dimensions")
    return reshape(a, (*a.shape[:at], 1, *a.shape[at:]))


def squeeze(x: Any, /, axis: Any) -> Array:
    """x without an axis of length 1."""
    a = queue_of(x).array(x)
    gone = {k % a.ndim for k in ((axis,) if np.isscalar(axis) else axis)}
    if builtins.any(a.shape[k] != 1 for k in gone):
        raise ValueError("squeeze: an axis is not of length 1")
    return reshape(a, tuple(s for k, s in enumerate(a.shape) if k not in gone))


def concat(arrays: Sequence[Any], /, *, axis: int | None = 0) -> Array:
    """Arrays behind each other along an axis; None: all entries in one vector."""
    queue = queue_of(*arrays)
    made = [queue.array(x) for x in arrays]
    if axis is None:
        made, axis = [reshape(x, -1) for x in made], 0
    ndim = made[0].ndim
    if ndim == 0 or builtins.any(x.ndim != ndim for x in made):
        raise ValueError("concat: all arrays need the same number of dimensions, at least 1")
    along = axis % ndim
    result = made[0]
    for x in made[1:]:
        number = queue.submit("horzcat" if along == 1 else "vertcat", result, x)[0]
        result = Array(queue, number, ndim, result._kind if result._kind == x._kind else "f")
    return result


def stack(arrays: Sequence[Any], /, *, axis: int = 0) -> Array:
    """Vectors or numbers along a new axis."""
    return concat([expand_dims(x, axis=axis) for x in arrays], axis=axis)


def tile(x: Any, repetitions: Sequence[int], /) -> Array:
    """Copies beside and below each other."""
    a = queue_of(x).array(x)
    times = [1] * (builtins.max(a.ndim, len(repetitions)) - len(repetitions)) + list(repetitions)
    if len(times) == 2 and a.ndim == 1:
        a = _shaped(a, (1, a.shape[0]))
    number = a._queue.submit("repmat", a, float(times[0]), float(times[1]) if len(times) == 2 else 1.0)[0]
    return Array(a._queue, number, len(times), a._kind)
