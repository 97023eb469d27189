"""Subscripts: which rows and columns `G[key]` names, the operations that fetch or replace them, and the functions that are such parts."""
from __future__ import annotations

import builtins
from typing import Any

import numpy as np

from ._array import Array
from ._entries import where
from ._forms import broadcast_to, reshape
from ._queue import queue_of
from ._shapes import _shaped

__all__ = ["flip", "roll", "take"]


# A key is brought to one axis each: rows and columns that are wanted, counted from 0, and whether the axis stays.
Axis = tuple[np.ndarray, bool]


def _axis(key: Any, length: int, which: int) -> Axis:
    """The places that a key names on an axis of that length."""
    if isinstance(key, Array):
        key = key.numpy()
    if isinstance(key, slice):
        return np.arange(length)[key], True
    places = np.asarray(key)
    if places.dtype == bool:
        if places.shape != (length,):
            raise IndexError(f"a mask of shape {places.shape} does not fit axis {which} of length {length}")
        return np.flatnonzero(places), True
    if places.size == 0:
        places = places.astype(int)
    if places.dtype.kind not in "iu" or places.ndim > 1:
        raise IndexError("texla: subscripts are integers, slices, masks, and one-dimensional lists of integers")
    wrong = (places < -length) | (places >= length)
    if np.any(wrong):
        bad = places[wrong].ravel()[0] if places.ndim else places
        raise IndexError(f"index {bad} is out of bounds for axis {which} with size {length}")
    return np.atleast_1d(np.where(places < 0, places + length, places)), places.ndim == 1


def _split(key: Any, ndim: int) -> tuple[list[Any], list[bool]]:
    """A key for each axis, and for each axis of the result whether it is new (None in the key)."""
    keys = list(key) if isinstance(key, tuple) else [key]
    given = sum(k is not None and k is not Ellipsis for k in keys)
    if given > ndim:
        raise IndexError(f"too many subscripts: the array has {ndim} dimensions, and {given} were given")
    dots = [i for i, k in enumerate(keys) if k is Ellipsis]
    if len(dots) > 1:
        raise IndexError("only one ellipsis may stand in a subscript")
    at = dots[0] if dots else len(keys)
    keys[at:at + len(dots)] = [slice(None)] * (ndim - given)
    return [k for k in keys if k is not None], [k is None for k in keys]


def _is_all(places: np.ndarray, length: int) -> bool:
    return len(places) == length and bool(np.array_equal(places, np.arange(length)))


def _operand(places: np.ndarray, length: int) -> Any:
    """As the operation "index" wants it: a column of places counted from 1, or the number 0 for all."""
    return 0.0 if _is_all(places, length) else (places + 1.0).reshape(-1, 1)


def _mask(a: Array, key: Any) -> np.ndarray | None:
    """A mask of the array's whole shape, where the key is one of two dimensions."""
    if isinstance(key, Array):
        key = key.numpy()
    if isinstance(key, np.ndarray) and key.dtype == bool and key.ndim == 2:
        if key.shape != a.shape:
            raise IndexError(f"a mask of shape {key.shape} does not fit an array of shape {a.shape}")
        return key
    return None


def _shape(axes: list[Axis], new: list[bool]) -> tuple[int, ...]:
    shape, rest = [], iter(axes)
    for is_new in new:
        if is_new:
            shape.append(1)
            continue
        places, stays = next(rest)
        if stays:
            shape.append(len(places))
    if len(shape) > 2:
        raise IndexError("texla: arrays have at most two dimensions")
    return tuple(shape)


def _axes(a: Array, key: Any) -> tuple[list[Axis], list[bool]]:
    keys, new = _split(key, a.ndim)
    axes = [_axis(k, a.shape[i], i) for i, k in enumerate(keys)]
    lists = [np.ndim(k) == 1 and not isinstance(k, slice) for k in keys]
    if sum(lists) > 1:
        raise IndexError("texla: only one axis may have a list of places; take rows first, then columns")
    return axes, new


def get(a: Array, key: Any) -> Array:
    """A copy of the part that the key names."""
    queue = a._queue
    mask = _mask(a, key)
    if mask is not None:
        places = np.flatnonzero(mask.ravel())
        rows, cols = places // a.shape[1], places % a.shape[1]
        numbers = (1.0 + rows + cols * a.shape[0]).reshape(-1, 1)
        return Array(queue, queue.submit("select", a, numbers)[0], 1, a._kind)
    axes, new = _axes(a, key)
    shape = _shape(axes, new)
    rows = _operand(axes[0][0], a._size[0]) if a.ndim > 0 else 0.0
    cols = _operand(axes[1][0], a._size[1]) if a.ndim > 1 else 0.0
    made = Array(queue, queue.submit("index", a, rows, cols)[0], 2, a._kind)
    return _shaped(made, shape)


def _sources(places: np.ndarray, length: int) -> Any:
    """As the operation "assign" wants it: for each of `length` rows the row of the new values, counted from 1; 0: none."""
    if _is_all(places, length):
        return 0.0
    sources = np.zeros((length, 1))
    sources[places, 0] = np.arange(1, len(places) + 1)
    return sources


def put(a: Array, key: Any, value: Any) -> None:
    """Replaces the part that the key names."""
    queue = a._queue
    mask = _mask(a, key)
    if mask is not None:
        count = int(mask.sum())
        if np.ndim(value) == 0:
            a._become(where(queue.array(mask), value, a))
            return
        values = np.asarray(value)
        if values.shape != (count,):
            raise ValueError(f"texla: {values.shape} values for {count} entries of a mask")
        numbers = np.zeros(a.shape)
        numbers[mask] = np.arange(1, count + 1)
        a._become(Array(queue, queue.submit("assign_select", a, numbers, values.reshape(-1, 1))[0], 2, a._kind))
        return
    axes, new = _axes(a, key)
    shape = _shape(axes, new)
    stored = (len(axes[0][0]) if axes else 1, len(axes[1][0]) if a.ndim > 1 else 1)
    if 0 in stored:
        return
    source = queue.array(value)
    if source.shape != shape:
        source = broadcast_to(source, shape)
    source = _shaped(source, stored)
    rows = _sources(axes[0][0], a._size[0]) if a.ndim > 0 else 0.0
    cols = _sources(axes[1][0], a._size[1]) if a.ndim > 1 else 0.0
    kind = "d" if a._kind == "d" and source._kind == "d" else "f"
    a._become(Array(queue, queue.submit("assign", a, rows, cols, source)[0], a.ndim, kind))


def flip(x: Any, /, *, axis: Any = None) -> Array:
    """Entries in reverse order along an axis, or all."""
    a = queue_of(x).array(x)
    axes = range(a.ndim) if axis is None else [k % a.ndim for k in ((axis,) if np.isscalar(axis) else axis)]
    return get(a, tuple(slice(None, None, -1) if k in axes else slice(None) for k in range(a.ndim)))


def roll(x: Any, /, shift: Any, *, axis: Any = None) -> Array:
    """Entries moved around along an axis; without one, as if all stood in one row."""
    a = queue_of(x).array(x)
    if axis is None:
        return reshape(roll(reshape(a, -1), shift, axis=0), a.shape)
    shifts, axes = np.atleast_1d(shift), [k % a.ndim for k in np.atleast_1d(axis)]
    for s, k in zip(shifts, axes):
        places = (np.arange(a.shape[k]) - s) % builtins.max(a.shape[k], 1)
        a = take(a, places, axis=k)
    return a


def take(x: Any, indices: Any, /, *, axis: int | None = None) -> Array:
    """The places that are listed, along an axis."""
    a = queue_of(x).array(x)
    if axis is None and a.ndim != 1:
        raise ValueError("take: an axis is needed for an array of more than one dimension")
    k = (axis or 0) % a.ndim
    return get(a, tuple(indices if i == k else slice(None) for i in range(a.ndim)))
