"""The queue of include/texla/queue.h by ctypes: one class for queues, one for values. No operation is known here but by its name."""
import ctypes as c
import ctypes.util
import os
import pathlib
import time
import weakref

import numpy as np


class _Error(c.Structure):
    _fields_ = [("status", c.c_int), ("message", c.c_char * 1024)]


class _Host(c.Structure):
    _fields_ = [("type", c.c_int), ("rows", c.c_int64), ("cols", c.c_int64), ("row_step", c.c_int64),
                ("col_step", c.c_int64), ("values", c.c_void_p)]


class _Operand(c.Structure):
    _fields_ = [("id", c.c_int64), ("number", c.c_double)]


class _Options(c.Structure):
    _fields_ = [("context", c.c_void_p), ("memory_limit", c.c_size_t), ("pending_limit", c.c_int), ("patience", c.c_double)]


class _Info(c.Structure):
    _fields_ = [("name", c.c_char_p), ("operands", c.c_char_p), ("help", c.c_char_p), ("results", c.c_int)]


class _Stats(c.Structure):
    _fields_ = [(n, c.c_int64) for n in ("queued", "running", "done", "failed", "skipped", "values")] + [
        (n, c.c_size_t) for n in ("bytes", "bytes_peak", "bytes_limit", "device_bytes", "device_peak")]


class _Triplets(c.Structure):
    _fields_ = [("rows", c.c_int32), ("cols", c.c_int32), ("count", c.c_int64), ("capacity", c.c_int64),
                ("row", c.POINTER(c.c_int32)), ("col", c.POINTER(c.c_int32)), ("value", c.POINTER(c.c_double))]


class Error(RuntimeError):
    """What texla says; `status` is the number of the clStatus."""

    def __init__(self, status, message):
        super().__init__(message)
        self.status = status


class NotReady(Error):
    """The time was over before the result was there."""


NOT_READY = 2
_SLICE = 0.1  # seconds of one wait, so that Ctrl-C interrupts


def _candidates():
    if os.environ.get("TEXLA_LIBRARY"):
        yield os.environ["TEXLA_LIBRARY"]
        return
    for folder in list(pathlib.Path(__file__).resolve().parents)[1:6]:
        yield from sorted(map(str, folder.glob("libtexla.so*")), key=len)
    found = ctypes.util.find_library("texla")
    if found:
        yield found
    yield "libtexla.so"


def _load():
    tried = []
    for name in _candidates():
        try:
            return c.CDLL(name)
        except OSError as error:
            tried.append(str(error))
    raise ImportError("texla: the shared library was not found; set TEXLA_LIBRARY to its file. Tried: " + "; ".join(tried))


_lib = _load()  # installed beside the module's folder or above it, or where the system looks
_error = c.POINTER(_Error)
_id = c.c_int64
for _name, _arguments in {
        "clQueueCreate": [c.POINTER(c.c_void_p), c.POINTER(_Options), _error],
        "clQueuePut": [c.c_void_p, c.POINTER(_id), c.POINTER(_Host), _error],
        "clQueuePutTriplets": [c.c_void_p, c.POINTER(_id), c.POINTER(_Triplets), _error],
        "clQueueSubmit": [c.c_void_p, c.c_char_p, c.POINTER(_Operand), c.c_int, c.POINTER(_id), c.c_int, _error],
        "clQueueShape": [c.c_void_p, _id, c.POINTER(c.c_int64), c.POINTER(c.c_int64), _error],
        "clQueueRead": [c.c_void_p, _id, _error],
        "clQueueWait": [c.c_void_p, _id, c.c_double, _error],
        "clQueueFetch": [c.c_void_p, _id, c.POINTER(_Host), c.c_double, _error],
        "clQueueRelease": [c.c_void_p, _id, _error],
        "clQueueCancel": [c.c_void_p, _id, _error],
        "clQueueDrain": [c.c_void_p, c.c_double, _error],
}.items():
    getattr(_lib, _name).argtypes = _arguments
    getattr(_lib, _name).restype = c.c_int
_lib.clVersion.argtypes, _lib.clVersion.restype = [], c.c_char_p
_lib.clQueueOperation.argtypes = [c.c_int, c.POINTER(_Info)]
_lib.clQueueOperation.restype = c.c_bool
_lib.clQueueDestroy.argtypes = _lib.clQueueAbandon.argtypes = [c.c_void_p]
_lib.clQueueDestroy.restype = _lib.clQueueAbandon.restype = None
_lib.clQueueCount.argtypes = [c.c_void_p, c.POINTER(_Stats)]
_lib.clQueueCount.restype = None
_lib.clQueueHold.argtypes = [c.c_void_p, c.c_bool]
_lib.clQueueHold.restype = None


def _check(status, error):
    if status < 0:
        raise Error(status, error.message.decode())
    return status != NOT_READY


def operations():
    """The table: name -> {"operands", "results", "help"}. Operands: m matrix or number, v matrix, n number; upper case: optional."""
    table, info, k = {}, _Info(), 0
    while _lib.clQueueOperation(k, c.byref(info)):
        table[info.name.decode()] = {"operands": info.operands.decode(), "results": info.results, "help": info.help.decode()}
        k += 1
    return table


def _end(handle, alive):
    if alive:
        alive.clear()
        _lib.clQueueDestroy(handle)


class Queue:
    """A background thread with a device of its own. close() (or leaving `with`) cancels what waits and frees all values."""

    def __init__(self, device=None, memory_limit=0, pending_limit=0):
        handle, error = c.c_void_p(), _Error()
        context = c.create_string_buffer(4096)  # a clContextOptions of zeros: defaults; its first field is the device
        name = c.c_char_p(device.encode()) if device else None
        if name:
            c.memmove(context, c.byref(name), c.sizeof(name))
        options = _Options(c.cast(context, c.c_void_p), memory_limit, pending_limit, _SLICE)
        _check(_lib.clQueueCreate(c.byref(handle), c.byref(options), c.byref(error)), error)
        self._handle = handle
        self._alive = [True]  # emptied when the queue ends; values look there
        self._finalizer = weakref.finalize(self, _end, handle, self._alive)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        self._finalizer()

    def _call(self, name, *arguments):
        """True, or False when the time was over."""
        if not self._alive:
            raise Error(-14, f"{name}: the queue has been closed")
        error = _Error()
        return _check(getattr(_lib, name)(self._handle, *arguments, c.byref(error)), error)

    def _repeat(self, name, *arguments):
        while not self._call(name, *arguments):
            pass

    def array(self, x):
        """A copy of x: NumPy, SciPy sparse, nested lists. Vectors keep their one dimension."""
        if isinstance(x, Array):
            return x
        new = _id()
        if hasattr(x, "tocsr"):
            x = x.tocsr()
            x.sum_duplicates()  # sorts the columns, too
            coo = x.tocoo()
            row, col = (np.ascontiguousarray(v, dtype=np.int32) for v in (coo.row, coo.col))
            value = np.ascontiguousarray(coo.data, dtype=np.float64)
            pointer = lambda v, kind: v.ctypes.data_as(c.POINTER(kind))
            triplets = _Triplets(*x.shape, len(value), len(value), pointer(row, c.c_int32), pointer(col, c.c_int32),
                                 pointer(value, c.c_double))
            self._repeat("clQueuePutTriplets", c.byref(new), c.byref(triplets))
            return Array(self, new.value, 2)
        x = np.asarray(x)
        if x.dtype != np.float32:
            if np.iscomplexobj(x):
                raise TypeError("texla: complex numbers are not supported")
            x = np.asarray(x, dtype=np.float64)
        if x.ndim > 2:
            raise ValueError("texla: arrays of more than two dimensions are not supported")
        dimensions, matrix = x.ndim, x.reshape(-1, 1) if x.ndim < 2 else x
        self._repeat("clQueuePut", c.byref(new), c.byref(_host(matrix)))
        return Array(self, new.value, dimensions)

    def call(self, name, *operands, results=1):
        """Submits an operation of the table; returns an Array, or a tuple of several."""
        listed, kept = (_Operand * max(len(operands), 1))(), []
        for k, x in enumerate(operands):
            if np.isscalar(x):
                listed[k] = _Operand(0, float(x))
            else:
                kept.append(self.array(x))
                if kept[-1]._queue is not self:
                    raise Error(-3, f"{name}: operand {k + 1} belongs to another queue")
                listed[k] = _Operand(kept[-1]._id, 0)
        new = (_id * results)()
        self._repeat("clQueueSubmit", name.encode(), listed, len(operands), new, results)
        flat = 1 if any(a.ndim == 1 for a in kept) else 2
        made = [Array(self, new[k], flat) for k in range(results)]
        for a in made:
            a.ndim = 1 if flat == 1 and a._size[1] == 1 else 2
        return made[0] if results == 1 else tuple(made)

    def drain(self, seconds=None):
        """Waits until nothing is left to do; False when the time is over."""
        return _until(lambda s: self._call("clQueueDrain", s), seconds)

    def hold(self, on=True):
        """No further operation begins until hold(False)."""
        _lib.clQueueHold(self._handle, on)

    def stats(self):
        s = _Stats()
        _lib.clQueueCount(self._handle, c.byref(s))
        return {name: getattr(s, name) for name, _ in _Stats._fields_}


def _host(matrix):
    size = matrix.itemsize
    if any(s % size for s in matrix.strides):
        raise ValueError("texla: the array's strides are no multiples of its numbers")
    row, col = (s // size for s in matrix.strides)
    if not row and not col:  # all entries are one, or there is only one: any steps but both zero
        matrix = np.asfortranarray(matrix)
        row, col = 1, matrix.shape[0]
    host = _Host(int(matrix.dtype == np.float64), *matrix.shape, row, col, matrix.ctypes.data)
    host.keep = matrix
    return host


def _until(ask, seconds):
    """Asks in slices until the answer is yes or the time is over."""
    end = None if seconds is None else time.monotonic() + seconds
    while True:
        left = _SLICE if end is None else max(min(_SLICE, end - time.monotonic()), 0)
        if ask(left):
            return True
        if end is not None and time.monotonic() >= end:
            return False


def _release(queue_handle, alive, number):
    if alive:
        _lib.clQueueRelease(queue_handle, number, None)


class Array:
    """A matrix (or vector) of a queue, perhaps not computed yet."""
    __array_ufunc__ = None  # numpy leaves + and @ to this class

    def __init__(self, queue, number, ndim):
        rows, cols = c.c_int64(), c.c_int64()
        self._queue, self._id, self.ndim = queue, number, ndim
        self._finalizer = weakref.finalize(self, _release, queue._handle, queue._alive, number)
        queue._call("clQueueShape", number, c.byref(rows), c.byref(cols))
        self._size = (rows.value, cols.value)

    @property
    def shape(self):
        return self._size if self.ndim == 2 else self._size[:self.ndim]

    def __len__(self):
        return self._size[0]

    def __repr__(self):
        return f"<texla.Array {' x '.join(map(str, self.shape))}>"

    def read(self):
        """Starts to read back as soon as the value is there; returns at once."""
        self._queue._call("clQueueRead", self._id)

    def ready(self):
        return self._queue._call("clQueueWait", self._id, 0.0)

    def wait(self, seconds=None):
        """False when the time is over; raises where the value's operation has failed."""
        return _until(lambda s: self._queue._call("clQueueWait", self._id, s), seconds)

    def cancel(self):
        self._queue._call("clQueueCancel", self._id)

    def numpy(self, dtype=np.float64, seconds=None):
        """The values; waits. NotReady when the time is over."""
        out = np.empty(self._size, dtype=dtype)
        host = _host(out) if out.size else _Host(int(out.dtype == np.float64), *self._size, 0, 0, None)
        if out.dtype not in (np.float32, np.float64):
            raise TypeError("texla: values are float32 or float64")
        host.values = out.ctypes.data
        if out.size:
            host.row_step, host.col_step = (s // out.itemsize for s in out.strides)
        if not _until(lambda s: self._queue._call("clQueueFetch", self._id, c.byref(host), s), seconds):
            raise NotReady(NOT_READY, f"{self!r} is not there after {seconds} s")
        return out.reshape(self.shape)

    def __array__(self, dtype=None):
        return self.numpy(np.float64 if dtype is None else dtype)

    def _operate(self, name, *operands):
        return self._queue.call(name, *operands)

    def __matmul__(self, other):
        return self._operate("multiply", self, other)

    def __rmatmul__(self, other):
        return self._operate("multiply", other, self)

    @property
    def T(self):
        return self if self.ndim == 1 else self._operate("transpose", self)

    def __neg__(self):
        return self._operate("uminus", self)

    def __abs__(self):
        return self._operate("abs", self)

    def sum(self, axis=None):
        if axis is not None:
            total = self._operate("sum", self, axis + 1)
            total = total if axis == 1 else total.T
            total.ndim = 1
            return total
        total = self._operate("sum", self._operate("sum", self, 1), 2)
        total.ndim = 0
        return total


def _binary(name, swapped):
    def method(self, other):
        return self._operate(name, other, self) if swapped else self._operate(name, self, other)
    return method


for _method, _operation in {"add": "plus", "sub": "minus", "mul": "times", "truediv": "rdivide", "pow": "power"}.items():
    setattr(Array, f"__{_method}__", _binary(_operation, False))
    setattr(Array, f"__r{_method}__", _binary(_operation, True))
for _operation in ("lt", "le", "gt", "ge"):
    setattr(Array, f"__{_operation}__", _binary(_operation, False))

_default = []


def default_queue():
    """The queue that functions use whose operands are in none; made at first use."""
    if not _default or not _default[0]._alive:
        _default[:] = [Queue()]
    return _default[0]


def call(name, *operands, results=1):
    """In the queue of the first operand that has one."""
    for x in operands:
        if isinstance(x, Array):
            return x._queue.call(name, *operands, results=results)
    return default_queue().call(name, *operands, results=results)


def version():
    """The version of the library."""
    return _lib.clVersion().decode()
