"""Array: a matrix, vector or number of a queue, which behaves as the Python array API standard says."""
from __future__ import annotations

import ctypes as c
import weakref
from typing import TYPE_CHECKING, Any

import numpy as np

from ._library import NOT_READY, NotReady, _Host, library
from ._memory import host, until

_DTYPES: dict[str, Any] = {"f": np.dtype(np.float32), "d": np.dtype(np.float64), "b": np.dtype(bool), "i": np.dtype(np.int64)}


def _release(handle: c.c_void_p, alive: list[bool], number: int) -> None:
    if alive:
        library.clQueueRelease(handle, number, None)


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
    _source: Any = None  # of a SciPy matrix that was put: its copy on the host

    def __init__(self, queue: Any, number: int, ndim: int, kind: str = "f", sparse: bool = False) -> None:
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

    def __len__(self) -> int:
        if self._ndim == 0:
            raise TypeError("len() of an array that is a number")
        return self._size[0]

    def __repr__(self) -> str:
        what = f"texla.Array of {' x '.join(map(str, self.shape)) or 'one number'}, {self.dtype}"
        return f"<{what}, sparse>" if self._sparse else f"<{what}>"

    def __hash__(self) -> int:
        raise TypeError("unhashable type: 'texla.Array'")

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

    def _become(self, other: "Array") -> None:
        """Takes over the value of another array of the same shape."""
        self._finalizer()
        queue, number = other._queue, other._id
        other._finalizer.detach()
        self._queue, self._sparse, self._source = queue, other._sparse, other._source
        self._kind = other._kind if self._kind not in "bi" else self._kind
        self._hold(number)

    # ---- Put in by _operators.py, which stands above the functions that these call ----

    if TYPE_CHECKING:
        T: "Array"
        mT: "Array"

        def __array_namespace__(self, *, api_version: str | None = None) -> Any: ...
        def __iter__(self) -> Any: ...
        def __getitem__(self, key: Any) -> "Array": ...
        def __setitem__(self, key: Any, value: Any) -> None: ...
        def _fold(self, axis: Any = None, dtype: None = None, out: None = None, *, keepdims: bool = False) -> "Array": ...
        def _spread(self, axis: Any = None, dtype: None = None, out: None = None, ddof: float = 0.0, *, keepdims: bool = False) -> "Array": ...
        def reshape(self, *shape: Any) -> "Array": ...
        def _one(self) -> "Array": ...
        def _two(self, other: Any) -> "Array": ...
        sum = prod = mean = max = min = all = any = argmax = argmin = _fold
        std = var = _spread
        __neg__ = __pos__ = __abs__ = __invert__ = _one
        __add__ = __sub__ = __mul__ = __truediv__ = __floordiv__ = __mod__ = __pow__ = __and__ = __or__ = __xor__ = __matmul__ = _two
        __radd__ = __rsub__ = __rmul__ = __rtruediv__ = __rfloordiv__ = __rmod__ = __rpow__ = __rand__ = __ror__ = __rxor__ = _two
        __rmatmul__ = __lt__ = __le__ = __gt__ = __ge__ = __eq__ = __ne__ = _two  # type: ignore[assignment]
