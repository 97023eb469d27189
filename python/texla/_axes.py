"""Functions of the array API standard along axes: sums, extremes, orders, searches."""
from __future__ import annotations

import builtins
from typing import Any

import numpy as np

from ._array import Array
from ._creation import array, full, nan
from ._entries import divide, equal, isnan, logical_not, not_equal, sqrt, square, subtract
from ._forms import reshape
from ._parts import get
from ._queue import queue_of
from ._shapes import _alias_kind, _map, _shaped

__all__ = ["all", "any", "argmax", "argmin", "argsort", "count_nonzero", "cumulative_prod", "cumulative_sum", "diff", "max",
           "mean", "min", "nonzero", "prod", "searchsorted", "sort", "std", "sum", "unique_values", "var"]


def _axis_of(a: Array, axis: int) -> int:
    if not -a.ndim <= axis < a.ndim:
        raise IndexError(f"axis {axis} is out of bounds for an array of {a.ndim} dimensions")
    return axis % a.ndim


def _reduced(a: Array, axis: int | None) -> tuple[int, ...]:
    """The shape with 1 where entries are folded."""
    return tuple(1 if axis is None or k == axis else s for k, s in enumerate(a.shape))


def _fold(name: str, a: Array, axis: int | None, kind: str = "f") -> Array:
    """A matrix whose folded sides are 1."""
    queue = a._queue
    if axis is None:
        first = Array(queue, queue.submit(name, a, 1.0)[0], 2, kind)
        return Array(queue, queue.submit(name, first, 2.0)[0], 2, kind)
    return Array(queue, queue.submit(name, a, axis + 1.0)[0], 2, kind)


def _finish(folded: Array, a: Array, axis: int | None, keepdims: builtins.bool) -> Array:
    shape = _reduced(a, axis)
    if not keepdims:
        shape = () if axis is None else tuple(s for k, s in enumerate(shape) if k != axis)
    return _shaped(folded, shape)


def _axes_of(a: Array, axis: Any) -> int | None:
    """One axis, or None for all."""
    if axis is None or np.isscalar(axis):
        return None if axis is None else _axis_of(a, int(axis))  # type: ignore[arg-type]
    listed = {_axis_of(a, k) for k in axis}
    if len(listed) == a.ndim:
        return None
    if len(listed) == 1:
        return listed.pop()
    raise ValueError("texla: axes are one or all")


def sum(x: Any, /, *, axis: Any = None, dtype: Any = None, keepdims: builtins.bool = False) -> Array:
    """The sum of all entries, or along an axis, by a tree.

    >>> import texla
    >>> texla.sum(texla.ones((3, 4)), axis=-1).numpy().tolist()
    [4.0, 4.0, 4.0]
    """
    a = queue_of(x).array(x)
    k = _axes_of(a, axis)
    return _finish(_fold("sum", a, k), a, k, keepdims)


def prod(x: Any, /, *, axis: Any = None, dtype: Any = None, keepdims: builtins.bool = False) -> Array:
    """The product of all entries, or along an axis."""
    a = queue_of(x).array(x)
    k = _axes_of(a, axis)
    return _finish(_fold("prod", a, k), a, k, keepdims)


def _count(a: Array, axis: int | None) -> int:
    return a.size if axis is None else a.shape[axis]


def _extreme(name: str, x: Any, axis: Any, keepdims: builtins.bool) -> Array:
    a = queue_of(x).array(x)
    k = _axes_of(a, axis)
    if _count(a, k) == 0:
        raise ValueError(f"{name}: there is none among no entries")
    bad = _fold("sum", isnan(a), k)
    folded = _map("merge", bad, nan, _fold(name, a, k))
    return _finish(folded, a, k, keepdims)


def max(x: Any, /, *, axis: Any = None, keepdims: builtins.bool = False) -> Array:
    """The largest entry of all, or along an axis; NaN where there is one."""
    return _extreme("max", x, axis, keepdims)


def min(x: Any, /, *, axis: Any = None, keepdims: builtins.bool = False) -> Array:
    """The smallest entry of all, or along an axis; NaN where there is one."""
    return _extreme("min", x, axis, keepdims)


def mean(x: Any, /, *, axis: Any = None, keepdims: builtins.bool = False) -> Array:
    """The mean of all entries, or along an axis."""
    a = queue_of(x).array(x)
    k = _axes_of(a, axis)
    if _count(a, k) == 0:
        return full(sum(a, axis=axis, keepdims=keepdims).shape, nan)
    return divide(sum(a, axis=axis, keepdims=keepdims), float(_count(a, k)))


def var(x: Any, /, *, axis: Any = None, correction: float = 0.0, keepdims: builtins.bool = False) -> Array:
    """The variance of all entries, or along an axis, from the distances to the mean."""
    a = queue_of(x).array(x)
    k = _axes_of(a, axis)
    total = sum(square(subtract(a, mean(a, axis=axis, keepdims=True))), axis=axis, keepdims=keepdims)
    left = _count(a, k) - correction
    return divide(total, float(left)) if left > 0 else full(total.shape, nan)


def std(x: Any, /, *, axis: Any = None, correction: float = 0.0, keepdims: builtins.bool = False) -> Array:
    """The standard deviation: the root of var."""
    return sqrt(var(x, axis=axis, correction=correction, keepdims=keepdims))


def all(x: Any, /, *, axis: Any = None, keepdims: builtins.bool = False) -> Any:  # noqa: A001
    """True where no entry is 0."""
    a = queue_of(x).array(x)
    k = _axes_of(a, axis)
    zeros_there = _fold("sum", logical_not(a), k)
    return _finish(equal(zeros_there, 0.0), a, k, keepdims)


def any(x: Any, /, *, axis: Any = None, keepdims: builtins.bool = False) -> Any:  # noqa: A001
    """True where an entry is not 0."""
    a = queue_of(x).array(x)
    k = _axes_of(a, axis)
    return _finish(not_equal(_fold("sum", not_equal(a, 0.0), k), 0.0), a, k, keepdims)


def cumulative_sum(x: Any, /, *, axis: int | None = None, dtype: Any = None) -> Array:
    """Running sums along an axis."""
    return _scan("cumsum", x, axis)


def cumulative_prod(x: Any, /, *, axis: int | None = None, dtype: Any = None) -> Array:
    """Running products along an axis."""
    return _scan("cumprod", x, axis)


def _scan(name: str, x: Any, axis: int | None) -> Array:
    a = queue_of(x).array(x)
    if axis is None and a.ndim != 1:
        raise ValueError("an axis is needed for an array of more than one dimension")
    return Array(a._queue, a._queue.submit(name, a, _axis_of(a, axis or 0) + 1.0)[0], a.ndim)


def _position(name: str, x: Any, axis: int | None, keepdims: builtins.bool) -> Array:
    a = queue_of(x).array(x)
    whole = a
    k = None if axis is None else _axis_of(a, axis)
    if axis is None:
        a = reshape(a, -1)
    along = k or 0
    if a.shape[along] == 0:
        raise ValueError(f"{name}: there is none among no entries")
    queue = a._queue
    bad = isnan(a)
    first_bad = Array(queue, queue.submit("argmax", bad, along + 1.0)[0], 2)
    found = Array(queue, queue.submit(name, a, along + 1.0)[0], 2)
    chosen = subtract(_map("merge", _fold("sum", bad, along), first_bad, found), 1.0)
    return _alias_kind(_finish(chosen, whole, k, keepdims), "i")


def argmax(x: Any, /, *, axis: int | None = None, keepdims: builtins.bool = False) -> Array:
    """Where the largest entry stands, the first of several; where NaN does, if there is one."""
    return _position("argmax", x, axis, keepdims)


def argmin(x: Any, /, *, axis: int | None = None, keepdims: builtins.bool = False) -> Array:
    """Where the smallest entry stands, the first of several; where NaN does, if there is one."""
    return _position("argmin", x, axis, keepdims)


def _sorted(x: Any, axis: int, descending: builtins.bool) -> tuple[Array, list[int]]:
    a = queue_of(x).array(x)
    return a, a._queue.submit("sort", a, _axis_of(a, axis) + 1.0, float(descending), results=2)


def sort(x: Any, /, *, axis: int = -1, descending: builtins.bool = False, stable: builtins.bool = True) -> Array:
    """Sorted along an axis, NaN as the largest."""
    a, made = _sorted(x, axis, descending)
    Array(a._queue, made[1], 2)  # gives it back
    return Array(a._queue, made[0], a.ndim, a._kind)


def argsort(x: Any, /, *, axis: int = -1, descending: builtins.bool = False, stable: builtins.bool = True) -> Array:
    """Where the sorted entries stood; stable."""
    a, made = _sorted(x, axis, descending)
    Array(a._queue, made[0], 2)  # gives it back
    return _alias_kind(subtract(Array(a._queue, made[1], a.ndim), 1.0), "i")


def count_nonzero(x: Any, /, *, axis: Any = None, keepdims: builtins.bool = False) -> Array:
    """How many entries are not 0."""
    return _alias_kind(sum(not_equal(x, 0.0), axis=axis, keepdims=keepdims), "i")


def nonzero(x: Any, /) -> tuple[Array, ...]:
    """Where entries are not 0; reads the array."""
    return tuple(array(k) for k in np.nonzero(np.asarray(x)))


def searchsorted(x1: Any, x2: Any, /, *, side: Any = "left", sorter: Any = None) -> Array:
    """Where x2 would be put into the sorted x1; on the host."""
    return array(np.searchsorted(np.asarray(x1), np.asarray(x2), side=side, sorter=sorter))


def unique_values(x: Any, /) -> Array:
    """The different entries; on the host."""
    return array(np.unique(np.asarray(x)))


def diff(x: Any, /, *, axis: int = -1, n: int = 1) -> Array:
    """Differences of neighbours along an axis, n times."""
    a = queue_of(x).array(x)
    k = _axis_of(a, axis)
    for _ in range(n):
        upper, lower = [slice(None)] * a.ndim, [slice(None)] * a.ndim
        upper[k], lower[k] = slice(1, None), slice(None, -1)
        a = subtract(get(a, tuple(upper)), get(a, tuple(lower)))
    return a
