"""The queue of include/texla/queue.h: a background thread with a device. No operation is known here but by its name."""
from __future__ import annotations

import ctypes as c
import os
import weakref
from typing import Any

import numpy as np

from ._array import Array
from ._library import _Error, _Host, _id, _Operand, _Options, _Stats, _Triplets, Error, check, library
from ._memory import SLICE, host, until

_FOREIGN, _CANCELLED = -3, -14
# Operations whose results are kept in double precision; those of all others are of single precision.
_IN_DOUBLE = {"solve", "least_squares", "tridiagonal", "cg", "bicgstab", "gmres", "iterate", "multigrid", "determinant"}

# A process that was forked has the memory of its parent's queues, but not their threads: what it asks of them would never be done.
_queues: "weakref.WeakSet[Queue]" = weakref.WeakSet()
_ever_used = False
_forked = False
_FORKED = ("this process was forked from one that has used texla, whose background threads do not exist here; start processes by "
           "multiprocessing.get_context('spawn') instead, or use texla only after the fork")


def _after_fork() -> None:
    global _forked
    if _ever_used:
        _forked = True
    for queue in list(_queues):
        queue._alive.clear()


os.register_at_fork(after_in_child=_after_fork)


def _end(handle: c.c_void_p, alive: list[bool]) -> None:
    if alive:
        alive.clear()
        library.clQueueDestroy(handle)


def _canonical(x: Any) -> Any:
    """A copy of x as CSR without duplicates, columns in order."""
    x = x.tocsr(copy=True)
    x.sum_duplicates()
    return x


def real(name: str, x: Any) -> Any:
    """x, which must not be complex."""
    if np.iscomplexobj(x):
        raise TypeError(f"texla: {name} is complex: complex numbers are not supported; pass real and imaginary parts as one real system")
    return x


class Queue:
    """A background thread with a device of its own.

    Parameters
    ----------
    device : str, optional
        As `texla info` lists them: "llvmpipe", "0", ...
    memory_limit : int, optional
        Bytes that all values may hold; 0: the device's.
    pending_limit : int, optional
        Operations that may wait; 0: 1024.

    Examples
    --------
    >>> import texla
    >>> with texla.Queue() as q:
    ...     float(q.array([1, 2, 3]).sum())
    6.0
    """

    def __init__(self, device: str | None = None, memory_limit: int = 0, pending_limit: int = 0) -> None:
        global _ever_used
        if _forked:
            raise Error(_CANCELLED, "Queue: " + _FORKED)
        _ever_used = True
        handle, error = c.c_void_p(), _Error()
        context = c.create_string_buffer(4096)  # a clContextOptions of zeros: defaults; its first field is the device
        name = c.c_char_p(device.encode()) if device else None
        if name:
            c.memmove(context, c.byref(name), c.sizeof(name))
        options = _Options(c.cast(context, c.c_void_p), memory_limit, pending_limit, SLICE)
        check(library.clQueueCreate(c.byref(handle), c.byref(options), c.byref(error)), error)
        self._handle = handle
        self._alive = [True]  # emptied when the queue ends; values look there
        self._finalizer = weakref.finalize(self, _end, handle, self._alive)
        _queues.add(self)

    def __enter__(self) -> "Queue":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Cancels what waits, and frees all values."""
        self._finalizer()

    def _call(self, name: str, *arguments: Any) -> bool:
        """True, or False when the time was over."""
        if not self._alive:
            raise Error(_CANCELLED, f"{name}: " + (_FORKED if _forked else "the queue has been closed"))
        error = _Error()
        return check(getattr(library, name)(self._handle, *arguments, c.byref(error)), error)

    def _repeat(self, name: str, *arguments: Any) -> None:
        while not self._call(name, *arguments):
            pass

    def _put_sparse(self, x: Any) -> int:
        new = _id()
        row = np.repeat(np.arange(x.shape[0], dtype=np.int32), np.diff(x.indptr))
        col = np.ascontiguousarray(x.indices, dtype=np.int32)
        value = np.ascontiguousarray(x.data, dtype=np.float64)
        triplets = _Triplets(*x.shape, len(value), len(value), row.ctypes.data_as(c.POINTER(c.c_int32)),
                             col.ctypes.data_as(c.POINTER(c.c_int32)), value.ctypes.data_as(c.POINTER(c.c_double)))
        self._repeat("clQueuePutTriplets", c.byref(new), c.byref(triplets))
        return new.value

    def array(self, x: Any) -> Array:
        """A copy of x in this queue.

        Parameters
        ----------
        x : array_like or scipy.sparse matrix
            Numbers of up to two dimensions. It is never changed. An Array is returned as it is.

        Returns
        -------
        Array
        """
        if isinstance(x, Array):
            return x
        if hasattr(real("the array", x), "tocsr"):
            if 0 in x.shape:
                return self.array(x.toarray())
            x = _canonical(x)
            made = Array(self, self._put_sparse(x), 2, "d", sparse=True)
            made._source = x
            return made
        x = real("the array", np.asarray(x))
        kind = {"b": "b", "i": "i", "u": "i", "f": "f" if x.dtype == np.float32 else "d"}.get(x.dtype.kind)
        if kind is None:
            raise TypeError(f"texla: an array of {x.dtype} has no numbers that texla knows")
        if x.ndim > 2:
            raise ValueError("texla: arrays of more than two dimensions are not supported")
        values = x if x.dtype == np.float32 else np.asarray(x, dtype=np.float64)
        matrix = values.reshape(-1, 1) if x.ndim < 2 else values
        new = _id()
        view = host(matrix) if matrix.size else _Host(1, *matrix.shape, 0, 0, None)
        self._repeat("clQueuePut", c.byref(new), c.byref(view))
        return Array(self, new.value, x.ndim, kind)

    def submit(self, name: str, *operands: Any, results: int = 1) -> list[int]:
        """Submits an operation on matrices as they are stored, and returns the ids of its results."""
        listed, kept = (_Operand * max(len(operands), 1))(), []
        for k, x in enumerate(operands):
            if np.isscalar(x):
                listed[k] = _Operand(0, float(x))  # type: ignore[arg-type]
                continue
            value = x if isinstance(x, Array) else self.array(x)
            if value._queue is not self:
                raise Error(_FOREIGN, f"{name}: operand {k + 1} belongs to another queue")
            kept.append(value)
            listed[k] = _Operand(value._id, 0)
        new = (_id * results)()
        self._repeat("clQueueSubmit", name.encode(), listed, len(operands), new, results)
        return list(new)

    def call(self, name: str, *operands: Any, results: int = 1) -> Any:
        """Submits an operation of `texla.operations()`.

        Returns
        -------
        Array, or a tuple of `results` of them
            Columns where an operand is a vector are vectors.
        """
        values = [x if np.isscalar(x) else self.array(x) for x in operands]
        has_vector = any(isinstance(x, Array) and x.ndim == 1 for x in values)
        kind = "d" if name in _IN_DOUBLE else "f"
        made = [Array(self, new, 2, kind) for new in self.submit(name, *values, results=results)]
        for a in made:
            if has_vector and a._size[1] == 1:
                a._ndim = 1
        return made[0] if results == 1 else tuple(made)

    def drain(self, seconds: float | None = None) -> bool:
        """Waits until nothing is left to do; False when the time is over."""
        return until(lambda s: self._call("clQueueDrain", s), seconds)

    def hold(self, on: bool = True) -> None:
        """No further operation begins until hold(False)."""
        library.clQueueHold(self._handle, on)

    def stats(self) -> dict[str, int]:
        """What the queue has done, and the bytes that it holds."""
        s = _Stats()
        library.clQueueStatistics(self._handle, c.byref(s))
        return {name: getattr(s, name) for name, _ in _Stats._fields_}


_default: list[Queue] = []


def default_queue() -> Queue:
    """The queue that functions use whose operands are in none; made at first use."""
    if _forked and _default:
        raise Error(_CANCELLED, "default_queue: " + _FORKED)
    if not _default or not _default[0]._alive:
        _default[:] = [Queue()]
    return _default[0]


def queue_of(*operands: Any) -> Queue:
    """The queue of the first operand that has one."""
    for x in operands:
        if isinstance(x, Array):
            return x._queue
    return default_queue()


def call(name: str, *operands: Any, results: int = 1) -> Any:
    """Submits an operation in the queue of the first operand that has one."""
    return queue_of(*operands).call(name, *operands, results=results)
