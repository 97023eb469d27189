"""The functions of the Python array API standard for real arrays of up to two dimensions, each a few operations of a queue."""
from __future__ import annotations

import builtins
import math
from typing import Any, Callable, Sequence

import numpy as np

from ._array import Array
from ._library import ShapeError
from ._queue import default_queue, queue_of

pi, e, inf, nan, newaxis = math.pi, math.e, math.inf, math.nan, None
float32, float64, int64 = np.dtype(np.float32), np.dtype(np.float64), np.dtype(np.int64)
bool = np.dtype(builtins.bool)
_KINDS = {float32: "f", float64: "d", bool: "b", int64: "i"}


# ---- How shapes become matrices ------------------------------------------------------------------------------------------------


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


# ---- Creation ------------------------------------------------------------------------------------------------------------------


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
        return not_equal(x, 0.0)
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


def _matrix(name: str, x: Any) -> Array:
    a = queue_of(x).array(x)
    if a.ndim != 2:
        raise ValueError(f"{name}: a matrix is needed, and this array has {a.ndim} dimensions")
    return a


# ---- Entry by entry ------------------------------------------------------------------------------------------------------------


def _unary(operation: str, summary: str, kind: str = "f") -> Callable[[Any], Array]:
    def function(x: Any, /) -> Array:
        return _one(operation, x, kind)

    function.__doc__ = summary
    return function


def _comparison(operation: str, summary: str) -> Callable[[Any, Any], Array]:
    def function(x1: Any, x2: Any, /) -> Array:
        return _map(operation, x1, x2, kind="b")

    function.__doc__ = summary
    return function


abs = _unary("abs", "Magnitudes.")
acos = _unary("acos", "Inverse cosines; NaN where |x| > 1.")
asin = _unary("asin", "Inverse sines; NaN where |x| > 1.")
ceil = _unary("ceil", "Rounded up.")
cos = _unary("cos", "Cosines.")
cosh = _unary("cosh", "Hyperbolic cosines.")
exp = _unary("exp", "e to the power of x.")
floor = _unary("floor", "Rounded down.")
isfinite = _unary("isfinite", "True where x is neither infinite nor NaN.", "b")
isinf = _unary("isinf", "True where x is infinite.", "b")
isnan = _unary("isnan", "True where x is NaN.", "b")
log = _unary("log", "Natural logarithms; NaN where x < 0.")
log2 = _unary("log2", "Logarithms to the base of 2.")
log10 = _unary("log10", "Logarithms to the base of 10.")
logical_not = _unary("not", "True where x is 0.", "b")
negative = _unary("uminus", "-x.")
sin = _unary("sin", "Sines.")
sinh = _unary("sinh", "Hyperbolic sines.")
sqrt = _unary("sqrt", "Square roots; NaN where x < 0.")
tan = _unary("tan", "Tangents.")
tanh = _unary("tanh", "Hyperbolic tangents.")
trunc = _unary("fix", "Rounded towards 0.")
equal = _comparison("eq", "True where both are equal.")
greater = _comparison("gt", "True where x1 > x2.")
greater_equal = _comparison("ge", "True where x1 >= x2.")
less = _comparison("lt", "True where x1 < x2.")
less_equal = _comparison("le", "True where x1 <= x2.")
logical_and = _comparison("and", "True where neither is 0.")
logical_or = _comparison("or", "True where one is not 0.")
not_equal = _comparison("ne", "True where both differ.")


def add(x1: Any, x2: Any, /) -> Array:
    """x1 + x2."""
    return _map("plus", x1, x2)


def subtract(x1: Any, x2: Any, /) -> Array:
    """x1 - x2."""
    return _map("minus", x1, x2)


def multiply(x1: Any, x2: Any, /) -> Array:
    """x1 x2, entry by entry."""
    return _map("times", x1, x2)


def divide(x1: Any, x2: Any, /) -> Array:
    """x1 / x2, entry by entry."""
    return _map("rdivide", x1, x2)


def pow(x1: Any, x2: Any, /) -> Array:
    """x1 to the power of x2; NaN where that is not real."""
    return _map("power", x1, x2)


def atan(x: Any, /) -> Array:
    """Inverse tangents."""
    return _with_nan(_one("atan", x), x, x)


def atan2(x1: Any, x2: Any, /) -> Array:
    """The angle of the point (x2, x1)."""
    return _with_nan(_map("atan2", x1, x2), x1, x2)


def hypot(x1: Any, x2: Any, /) -> Array:
    """The root of x1^2 + x2^2."""
    return _map("hypot", x1, x2)


def logical_xor(x1: Any, x2: Any, /) -> Array:
    """True where exactly one is not 0."""
    return not_equal(not_equal(x1, 0.0), not_equal(x2, 0.0))


def positive(x: Any, /) -> Array:
    """x."""
    return asarray(x)


def square(x: Any, /) -> Array:
    """x^2."""
    return multiply(x, x)


def reciprocal(x: Any, /) -> Array:
    """1 / x."""
    return divide(1.0, x)


def sign(x: Any, /) -> Array:
    """-1, 0 or 1; NaN of NaN."""
    return _map("merge", isnan(x), x, _one("sign", x))


def remainder(x1: Any, x2: Any, /) -> Array:
    """x1 - x2 floor(x1 / x2); NaN where x2 is 0."""
    return _map("merge", equal(x2, 0.0), nan, _map("mod", x1, x2))


def floor_divide(x1: Any, x2: Any, /) -> Array:
    """floor(x1 / x2)."""
    return floor(divide(x1, x2))


def round(x: Any, /) -> Array:
    """Rounded to the nearest integer, halves to the even one."""
    half = equal(abs(subtract(x, trunc(x))), 0.5)
    return _map("merge", half, multiply(2.0, _one("round", multiply(0.5, x))), _one("round", x))


def maximum(x1: Any, x2: Any, /) -> Array:
    """The larger one of two entries; NaN where one of them is."""
    return _with_nan(_map("max2", x1, x2), x1, x2)


def minimum(x1: Any, x2: Any, /) -> Array:
    """The smaller one of two entries; NaN where one of them is."""
    return _with_nan(_map("min2", x1, x2), x1, x2)


def _with_nan(chosen: Array, x1: Any, x2: Any) -> Array:
    """`chosen`, but NaN where x1 or x2 is NaN."""
    bad = _map("or", _map("ne", x1, x1, kind="b"), _map("ne", x2, x2, kind="b"), kind="b")
    return _map("merge", bad, nan, chosen)


def clip(x: Any, /, min: Any = None, max: Any = None) -> Array:
    """x within [min, max]."""
    result = asarray(x)
    if min is not None:
        result = maximum(result, min)
    return result if max is None else minimum(result, max)


def where(condition: Any, x1: Any, x2: Any, /) -> Array:
    """x1 where the condition is not 0, else x2.

    >>> import texla
    >>> g = texla.asarray([-1., 2.])
    >>> texla.where(g > 0, g, 0).numpy().tolist()
    [0.0, 2.0]
    """
    return _map("merge", condition, x1, x2)


# ---- Shapes --------------------------------------------------------------------------------------------------------------------


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


def flip(x: Any, /, *, axis: Any = None) -> Array:
    """Entries in reverse order along an axis, or all."""
    a = queue_of(x).array(x)
    axes = range(a.ndim) if axis is None else [k % a.ndim for k in ((axis,) if np.isscalar(axis) else axis)]
    return a[tuple(slice(None, None, -1) if k in axes else slice(None) for k in range(a.ndim))]


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


def tile(x: Any, repetitions: Sequence[int], /) -> Array:
    """Copies beside and below each other."""
    a = queue_of(x).array(x)
    times = [1] * (builtins.max(a.ndim, len(repetitions)) - len(repetitions)) + list(repetitions)
    if len(times) == 2 and a.ndim == 1:
        a = _shaped(a, (1, a.shape[0]))
    number = a._queue.submit("repmat", a, float(times[0]), float(times[1]) if len(times) == 2 else 1.0)[0]
    return Array(a._queue, number, len(times), a._kind)


def take(x: Any, indices: Any, /, *, axis: int | None = None) -> Array:
    """The places that are listed, along an axis."""
    a = queue_of(x).array(x)
    if axis is None and a.ndim != 1:
        raise ValueError("take: an axis is needed for an array of more than one dimension")
    k = (axis or 0) % a.ndim
    return a[tuple(indices if i == k else slice(None) for i in range(a.ndim))]


# ---- Along axes ----------------------------------------------------------------------------------------------------------------


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


def diff(x: Any, /, *, axis: int = -1, n: int = 1) -> Array:
    """Differences of neighbours along an axis, n times."""
    a = queue_of(x).array(x)
    k = _axis_of(a, axis)
    for _ in range(n):
        upper, lower = [slice(None)] * a.ndim, [slice(None)] * a.ndim
        upper[k], lower[k] = slice(1, None), slice(None, -1)
        a = subtract(a[tuple(upper)], a[tuple(lower)])
    return a


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


def _alias_kind(a: Array, kind: str) -> Array:
    a._kind = kind
    return a


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


# ---- Products ------------------------------------------------------------------------------------------------------------------


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


# What NumPy's own functions become when one of their operands is an Array.
UFUNCS: dict[str, Callable[..., Any]] = {
    "absolute": abs, "fabs": abs, "add": add, "arccos": acos, "arcsin": asin, "arctan": atan, "arctan2": atan2, "ceil": ceil,
    "cos": cos, "cosh": cosh, "divide": divide, "true_divide": divide, "equal": equal, "exp": exp, "floor": floor,
    "floor_divide": floor_divide, "greater": greater, "greater_equal": greater_equal, "hypot": hypot, "isfinite": isfinite,
    "isinf": isinf, "isnan": isnan, "less": less, "less_equal": less_equal, "log": log, "log10": log10, "log2": log2,
    "logical_and": logical_and, "logical_not": logical_not, "logical_or": logical_or, "logical_xor": logical_xor, "matmul": matmul,
    "maximum": maximum, "minimum": minimum, "multiply": multiply, "negative": negative, "not_equal": not_equal,
    "positive": positive, "power": pow, "reciprocal": reciprocal, "remainder": remainder, "rint": round, "sign": sign, "sin": sin,
    "sinh": sinh, "sqrt": sqrt, "square": square, "subtract": subtract, "tan": tan, "tanh": tanh, "trunc": trunc}
