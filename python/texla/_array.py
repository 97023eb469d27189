"""Array: a matrix, vector or number of a queue, which behaves as the Python array API standard says."""
from __future__ import annotations

import weakref
from typing import Any, Callable

import numpy as np

from ._library import NOT_READY, NotReady, _Host, _id, library
from ._queue import Queue, default_queue, host, until

import ctypes as c

_DTYPES: dict[str, Any] = {"f": np.dtype(np.float32), "d": np.dtype(np.float64), "b": np.dtype(bool), "i": np.dtype(np.int64)}


def _release(handle: c.c_void_p, alive: list[bool], number: int) -> None:
    if alive:
        library.clQueueRelease(handle, number, None)


def _unpickle(values: np.ndarray) -> "Array":
    return default_queue().array(values)


class Array:
    """A matrix, vector or number of a queue, perhaps not computed yet.

    Values are computed in single precision; those that were put as doubles are kept as such, and what refines to double accuracy
    (`texla.linalg`) uses them. Comparisons are booleans, positions integers: `dtype` tells. Parts (`G[1:, 0]`) are copies.

    Examples
    --------
    >>> import numpy as np, texla
    >>> G = texla.asarray([[1., 2.], [3., 4.]])
    >>> (G + [10, 20]).numpy().tolist()
    [[11.0, 22.0], [13.0, 24.0]]
    >>> bool(texla.all(G > 0))
    True
    >>> float(np.exp(G)[0, 0])  # doctest: +ELLIPSIS
    2.718...
    """

    __array_priority__ = 1000

    def __init__(self, queue: Queue, number: int, ndim: int, kind: str = "f", sparse: bool = False) -> None:
        rows, cols = c.c_int64(), c.c_int64()
        self._queue, self._ndim, self._kind, self._sparse = queue, ndim, kind, sparse
        self._hold(number)
        queue._call("clQueueShape", number, c.byref(rows), c.byref(cols))
        self._size = (rows.value, cols.value)

    def _hold(self, number: int) -> None:
        self._id = number
        self._finalizer = weakref.finalize(self, _release, self._queue._handle, self._queue._alive, number)

    # ---- What it is ----

    @property
    def ndim(self) -> int:
        """0 for a number, 1 for a vector, 2 for a matrix."""
        return self._ndim

    @property
    def shape(self) -> tuple[int, ...]:
        """Its sides."""
        return self._size[:self._ndim]

    @property
    def size(self) -> int:
        """How many entries there are."""
        return self._size[0] * self._size[1]

    @property
    def dtype(self) -> np.dtype:
        """float32; float64 where values are kept in double precision; bool; int64."""
        return _DTYPES[self._kind]

    @property
    def device(self) -> str:
        """Always "texla": arrays of different queues do not mix."""
        return "texla"

    def to_device(self, device: str, /, *, stream: Any = None) -> "Array":
        """Itself, for "texla"."""
        if device != "texla" or stream is not None:
            raise ValueError(f"texla: there is no device {device!r} that an array could move to")
        return self

    def __array_namespace__(self, *, api_version: str | None = None) -> Any:
        import texla
        if api_version not in (None, "2021.12", "2022.12", "2023.12"):
            raise ValueError(f"texla: version {api_version} of the array API standard is not known")
        return texla

    def __len__(self) -> int:
        if self._ndim == 0:
            raise TypeError("len() of an array that is a number")
        return self._size[0]

    def __repr__(self) -> str:
        what = f"texla.Array of {' x '.join(map(str, self.shape)) or 'one number'}, {self.dtype}"
        return f"<{what}, sparse>" if self._sparse else f"<{what}>"

    def __hash__(self) -> int:
        raise TypeError("unhashable type: 'texla.Array'")

    def __reduce__(self) -> tuple[Callable[..., "Array"], tuple[np.ndarray]]:
        return _unpickle, (self.numpy(),)

    # ---- Waiting and reading ----

    def read(self) -> None:
        """Starts to read back as soon as the value is there; returns at once."""
        self._queue._call("clQueueRead", self._id)

    def ready(self) -> bool:
        """Is the value there?"""
        return self._queue._call("clQueueWait", self._id, 0.0)

    def wait(self, seconds: float | None = None) -> bool:
        """False when the time is over; raises where the value's operation has failed."""
        return until(lambda s: self._queue._call("clQueueWait", self._id, s), seconds)

    def cancel(self) -> None:
        """Lets the operation that makes the value fail, unless it runs or has run already."""
        self._queue._call("clQueueCancel", self._id)

    def numpy(self, dtype: Any = None, seconds: float | None = None) -> np.ndarray:
        """The values as a NumPy array; waits.

        Parameters
        ----------
        dtype : optional
            Of the result; without it the array's own.
        seconds : float, optional
            The longest to wait; then NotReady is raised.
        """
        wanted = np.dtype(self.dtype if dtype is None else dtype)
        read = np.dtype(np.float32 if wanted == np.float32 else np.float64)
        out = np.empty(self._size, dtype=read)
        made = host(out) if out.size else _Host(int(read == np.float64), *self._size, 0, 0, None)
        if not until(lambda s: self._queue._call("clQueueFetch", self._id, c.byref(made), s), seconds):
            raise NotReady(NOT_READY, f"{self!r} is not there after {seconds} s")
        values = made.keep if out.size else out
        return np.asarray(values).reshape(self.shape).astype(wanted, copy=False)

    def __array__(self, dtype: Any = None) -> np.ndarray:
        return self.numpy(dtype)

    def __dlpack__(self, *, stream: Any = None) -> Any:
        """A copy on the host, as a DLPack capsule."""
        return self.numpy().__dlpack__(stream=stream)

    def __dlpack_device__(self) -> tuple[int, int]:
        return (1, 0)  # the processor's memory

    def item(self) -> Any:
        """The only entry, as a Python number."""
        if self.size != 1:
            raise TypeError(f"texla: an array of {self.size} entries is no number")
        return self.numpy().reshape(())[()].item()

    def __bool__(self) -> bool:
        if self.size != 1:
            raise ValueError("the truth value of an array with more than one entry is ambiguous: use texla.any or texla.all")
        return bool(self.item())

    def __float__(self) -> float:
        return float(self.item())

    def __int__(self) -> int:
        return int(self.item())

    def __index__(self) -> int:
        if self._kind != "i" or self._ndim != 0:
            raise TypeError("only a number of an integer type can be an index")
        return int(self.item())

    def __complex__(self) -> complex:
        return complex(self.item())

    def __iter__(self) -> Any:
        if self._ndim == 0:
            raise TypeError("iteration over an array that is a number")
        return (self[k] for k in range(len(self)))

    # ---- Parts ----

    def __getitem__(self, key: Any) -> "Array":
        from ._parts import get
        return get(self, key)

    def __setitem__(self, key: Any, value: Any) -> None:
        from ._parts import put
        put(self, key, value)

    def _become(self, other: "Array") -> None:
        """Takes over the value of another array of the same shape."""
        self._finalizer()
        queue, number = other._queue, other._id
        other._finalizer.detach()
        self._queue, self._sparse = queue, other._sparse
        self._kind = other._kind if self._kind not in "bi" else self._kind
        self._hold(number)

    # ---- Operators ----

    @property
    def T(self) -> "Array":
        """The transpose of a matrix; a vector is its own."""
        from . import _functions
        return _functions.transpose(self)

    @property
    def mT(self) -> "Array":
        """The transpose of a matrix."""
        from . import _functions
        return _functions.matrix_transpose(self)

    def __neg__(self) -> "Array":
        from . import _functions
        return _functions.negative(self)

    def __pos__(self) -> "Array":
        return self

    def __abs__(self) -> "Array":
        from . import _functions
        return _functions.abs(self)

    def __invert__(self) -> "Array":
        from . import _functions
        return _functions.logical_not(self)

    def __matmul__(self, other: Any) -> "Array":
        from . import _functions
        return _functions.matmul(self, other)

    def __rmatmul__(self, other: Any) -> "Array":
        from . import _functions
        return _functions.matmul(other, self)

    def sum(self, axis: Any = None, *, keepdims: bool = False) -> "Array":
        """The sum of all entries, or along an axis; as texla.sum."""
        from . import _functions
        return _functions.sum(self, axis=axis, keepdims=keepdims)

    def prod(self, axis: Any = None, *, keepdims: bool = False) -> "Array":
        """The product of all entries, or along an axis."""
        from . import _functions
        return _functions.prod(self, axis=axis, keepdims=keepdims)

    def mean(self, axis: Any = None, *, keepdims: bool = False) -> "Array":
        """The mean of all entries, or along an axis."""
        from . import _functions
        return _functions.mean(self, axis=axis, keepdims=keepdims)

    def max(self, axis: Any = None, *, keepdims: bool = False) -> "Array":
        """The largest entry of all, or along an axis; NaN where there is one."""
        from . import _functions
        return _functions.max(self, axis=axis, keepdims=keepdims)

    def min(self, axis: Any = None, *, keepdims: bool = False) -> "Array":
        """The smallest entry of all, or along an axis; NaN where there is one."""
        from . import _functions
        return _functions.min(self, axis=axis, keepdims=keepdims)

    def reshape(self, *shape: Any) -> "Array":
        """The same entries, row after row, in another shape; one side may be -1."""
        from . import _functions
        return _functions.reshape(self, shape[0] if len(shape) == 1 else shape)

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **keywords: Any) -> Any:
        from . import _functions
        function = _functions.UFUNCS.get(ufunc.__name__)
        if function is None or method != "__call__" or keywords:
            return NotImplemented
        return function(*inputs)


def _binary(name: str, swapped: bool) -> Callable[[Array, Any], Any]:
    def method(self: Array, other: Any) -> Any:
        from . import _functions
        if isinstance(other, (str, bytes, dict, type(None))):
            return NotImplemented
        function = getattr(_functions, name)
        return function(other, self) if swapped else function(self, other)

    return method


def _in_place(name: str) -> Callable[[Array, Any], Array]:
    def method(self: Array, other: Any) -> Array:
        from . import _functions
        made = getattr(_functions, name)(self, other)
        if made.shape != self.shape:
            raise ValueError(f"texla: an array of shape {self.shape} cannot take over one of shape {made.shape}")
        self._become(made)
        return self

    return method


for _method, _function in {"add": "add", "sub": "subtract", "mul": "multiply", "truediv": "divide", "floordiv": "floor_divide",
                           "mod": "remainder", "pow": "pow", "and": "logical_and", "or": "logical_or", "xor": "logical_xor"}.items():
    setattr(Array, f"__{_method}__", _binary(_function, False))
    setattr(Array, f"__r{_method}__", _binary(_function, True))
    setattr(Array, f"__i{_method}__", _in_place(_function))
for _method, _function in {"lt": "less", "le": "less_equal", "gt": "greater", "ge": "greater_equal", "eq": "equal",
                           "ne": "not_equal"}.items():
    setattr(Array, f"__{_method}__", _binary(_function, False))
