"""Types and constants of the array API standard, and functions that make arrays."""
from __future__ import annotations

import builtins
import math
from typing import Any

import numpy as np

from ._array import Array
from ._queue import default_queue
from ._shapes import _alias, _map, _matrix, _one, _stored

__all__ = ["arange", "array", "asarray", "astype", "can_cast", "empty", "empty_like", "eye", "finfo", "from_dlpack", "full",
           "full_like", "iinfo", "isdtype", "linspace", "meshgrid", "ones", "ones_like", "result_type", "tril", "triu", "zeros",
           "zeros_like", "bool", "e", "float32", "float64", "inf", "int64", "nan", "newaxis", "pi"]

pi, e, inf, nan, newaxis = math.pi, math.e, math.inf, math.nan, None
float32, float64, int64 = np.dtype(np.float32), np.dtype(np.float64), np.dtype(np.int64)
bool = np.dtype(builtins.bool)
_KINDS = {float32: "f", float64: "d", bool: "b", int64: "i"}


def array(x: Any) -> Array:
    """A copy of the matrix or vector x (NumPy, SciPy sparse, or nested lists) in the default queue; x is never changed.

    >>> import texla
    >>> texla.array([[1, 2], [3, 4]]).shape
    (2, 2)
    """
    return default_queue().array(x)


def asarray(obj: Any, /, *, dtype: Any = None, device: Any = None, copy: builtins.bool | None = None) -> Array:
    """obj as an Array; an Array is returned as it is, unless another type or a copy is wanted."""
    if device not in (None, "texla"):
        raise ValueError(f"texla: there is no device {device!r}")
    if isinstance(obj, Array):
        if dtype is not None and np.dtype(dtype) != obj.dtype:
            return astype(obj, dtype)
        return _alias(obj, obj.ndim) if copy else obj
    if copy is False:
        raise ValueError("texla: what is not on the device yet has to be copied")
    return array(obj if dtype is None else np.asarray(obj, dtype=dtype))


def astype(x: Array, dtype: Any, /, *, copy: builtins.bool = True) -> Array:
    """x as another type: float32, float64 (values that are of single precision stay so), bool or int64 (rounded towards 0)."""
    kind = _KINDS.get(np.dtype(dtype))
    if kind is None:
        raise TypeError(f"texla: arrays are float32, float64, bool or int64, not {np.dtype(dtype)}")
    if kind == x._kind and not copy:
        return x
    if kind == "b":
        return _map("ne", x, 0.0, kind="b")
    if kind == "i" and x._kind in "fd":
        return _one("fix", x, "i")
    return _alias(x, x.ndim, kind)


def full(shape: Any, fill_value: float, *, dtype: Any = None, device: Any = None) -> Array:
    """An array of one number.

    >>> import texla
    >>> texla.full((2, 3), 7.).sum().item()
    42.0
    """
    shape = (shape,) if np.isscalar(shape) else tuple(shape)
    if len(shape) > 2:
        raise ValueError("texla: arrays of more than two dimensions are not supported")
    queue = default_queue()
    kind = _KINDS.get(np.dtype(dtype), "f") if dtype is not None else "f"
    return Array(queue, queue.submit("fill", float(fill_value), *map(float, _stored(shape)))[0], len(shape), kind)


def zeros(shape: Any, *, dtype: Any = None, device: Any = None) -> Array:
    """An array of zeros."""
    return full(shape, 0.0, dtype=dtype)


def ones(shape: Any, *, dtype: Any = None, device: Any = None) -> Array:
    """An array of ones."""
    return full(shape, 1.0, dtype=dtype)


def empty(shape: Any, *, dtype: Any = None, device: Any = None) -> Array:
    """An array of zeros: nothing is left undefined."""
    return full(shape, 0.0, dtype=dtype)


def full_like(x: Array, /, fill_value: float, *, dtype: Any = None, device: Any = None) -> Array:
    """An array of one number, in the shape of x."""
    return full(x.shape, fill_value, dtype=dtype or x.dtype)


def zeros_like(x: Array, /, *, dtype: Any = None, device: Any = None) -> Array:
    """Zeros in the shape of x."""
    return full_like(x, 0.0, dtype=dtype)


def ones_like(x: Array, /, *, dtype: Any = None, device: Any = None) -> Array:
    """Ones in the shape of x."""
    return full_like(x, 1.0, dtype=dtype)


def empty_like(x: Array, /, *, dtype: Any = None, device: Any = None) -> Array:
    """Zeros in the shape of x."""
    return full_like(x, 0.0, dtype=dtype)


def eye(n_rows: int, n_cols: int | None = None, /, *, k: int = 0, dtype: Any = None, device: Any = None) -> Array:
    """Ones on diagonal k, zeros elsewhere."""
    return array(np.eye(n_rows, n_cols, k, dtype=np.float32 if dtype is None else dtype))


def arange(start: float, /, stop: float | None = None, step: float = 1, *, dtype: Any = None, device: Any = None) -> Array:
    """Equally spaced numbers, by their distance."""
    return array(np.arange(start, stop, step, dtype=dtype) if stop is not None else np.arange(0, start, step, dtype=dtype))


def linspace(start: float, stop: float, /, num: int, *, dtype: Any = None, device: Any = None, endpoint: builtins.bool = True) -> Array:
    """Equally spaced numbers, by how many there are."""
    return array(np.linspace(start, stop, num, endpoint=endpoint, dtype=np.float32 if dtype is None else dtype))


def meshgrid(*arrays: Any, indexing: Any = "xy") -> list[Array]:
    """The coordinates of a grid of two axes."""
    if len(arrays) > 2:
        raise ValueError("texla: arrays have at most two dimensions")
    return [array(g) for g in np.meshgrid(*map(np.asarray, arrays), indexing=indexing)]


def tril(x: Any, /, *, k: int = 0) -> Array:
    """The lower triangle, up to diagonal k."""
    a = _matrix("tril", x)
    return Array(a._queue, a._queue.submit("tril", a, float(k))[0], 2, a._kind)


def triu(x: Any, /, *, k: int = 0) -> Array:
    """The upper triangle, from diagonal k."""
    a = _matrix("triu", x)
    return Array(a._queue, a._queue.submit("triu", a, float(k))[0], 2, a._kind)


def from_dlpack(x: Any, /) -> Array:
    """A copy of an array of another library, in the default queue."""
    return array(np.from_dlpack(x))


def isdtype(dtype: Any, kind: Any) -> builtins.bool:
    """Is a type of a kind: "bool", "integral", "real floating", "numeric", or another type?"""
    kinds = kind if isinstance(kind, tuple) else (kind,)
    names = {"bool": "b", "signed integer": "i", "integral": "iu", "real floating": "f", "numeric": "iuf"}
    found = np.dtype(dtype)
    return builtins.any(found.kind in names[k] if isinstance(k, str) and k in names else found == np.dtype(k) for k in kinds)


def result_type(*arrays: Any) -> np.dtype:
    """The type of what is computed from these."""
    return np.result_type(*(x.dtype if isinstance(x, Array) else x for x in arrays))


def can_cast(from_: Any, to: Any, /) -> builtins.bool:
    """May an array be of another type without a loss?"""
    return np.can_cast(from_.dtype if isinstance(from_, Array) else from_, to)


def finfo(type: Any, /) -> np.finfo:
    """What a floating type can hold."""
    return np.finfo(type.dtype if isinstance(type, Array) else type)


def iinfo(type: Any, /) -> np.iinfo:
    """What an integer type can hold."""
    return np.iinfo(type.dtype if isinstance(type, Array) else type)
