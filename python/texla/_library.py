"""The shared library by ctypes: where it lies, its structures, its errors. Nothing here knows what a queue is for."""
from __future__ import annotations

import ctypes as c
import ctypes.util
import os
import pathlib
from typing import Any, Iterator

__version__ = "0.3.0"


class _Error(c.Structure):
    _fields_ = [("status", c.c_int), ("message", c.c_char * 1024)]


class _Host(c.Structure):
    _fields_ = [("type", c.c_int), ("rows", c.c_int64), ("cols", c.c_int64), ("row_step", c.c_int64),
                ("col_step", c.c_int64), ("values", c.c_void_p)]
    keep: object  # what the values belong to


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


class _Facts(c.Structure):
    _fields_ = [(n, c.c_double) for n in ("residual", "limit", "unit_residual", "unit_limit", "backward_error")] + [
        ("ended", c.c_int), ("inconsistent", c.c_bool), ("least_squares", c.c_bool)]


class Error(RuntimeError):
    """What texla says.

    Attributes
    ----------
    status : int
        The number of the `clStatus`: negative is an error, positive informs.
    """

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status

    def __reduce__(self) -> tuple[Any, ...]:
        # Exceptions are made anew from `args` otherwise, which has the message alone: other processes would wait for ever.
        return type(self), (self.status, str(self)), self.__dict__


class ShapeError(Error, ValueError):
    """Shapes that do not fit together."""

    def __init__(self, message: str) -> None:
        super().__init__(-2, message)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (str(self),), self.__dict__


class NotFinite(Error, ValueError):
    """NaN, infinities or numbers that are too large."""


class NotReady(Error):
    """The time was over before the result was there."""


NOT_READY, NOT_FINITE = 2, -11


def _candidates() -> Iterator[str]:
    """Where the library may lie: what TEXLA_LIBRARY says, in the package (a wheel), beside or above it (an installation),
    in the build folder of the sources, where the system looks."""
    if os.environ.get("TEXLA_LIBRARY"):
        yield os.environ["TEXLA_LIBRARY"]
        return
    here = pathlib.Path(__file__).resolve()
    folders = [*here.parents[:6], here.parents[2] / "build" / "lib"]
    for folder in folders:
        yield from sorted(map(str, folder.glob("libtexla.so*")), key=len)
    found = ctypes.util.find_library("texla")
    if found:
        yield found
    yield "libtexla.so"


def _load() -> c.CDLL:
    tried = []
    for name in _candidates():
        try:
            return c.CDLL(name)
        except OSError as error:
            tried.append(str(error))
    raise ImportError("texla: the shared library was not found; set TEXLA_LIBRARY to its file. Tried: " + "; ".join(tried))


def _check_version(found: str, wanted: str) -> None:
    if found.split(".")[:2] != wanted.split(".")[:2]:
        raise ImportError(f"texla: the module is of version {wanted}, but the library that was found is of version {found}; "
                          "set TEXLA_LIBRARY to one of the same version")


library = _load()
library.clVersion.argtypes, library.clVersion.restype = [], c.c_char_p
_check_version(library.clVersion().decode(), __version__)
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
        "clQueueRetain": [c.c_void_p, _id, _error],
        "clQueueRelease": [c.c_void_p, _id, _error],
        "clQueueCancel": [c.c_void_p, _id, _error],
        "clQueueDrain": [c.c_void_p, c.c_double, _error],
}.items():
    getattr(library, _name).argtypes = _arguments
    getattr(library, _name).restype = c.c_int
library.clQueueOperation.argtypes = [c.c_int, c.POINTER(_Info)]
library.clQueueOperation.restype = c.c_bool
library.clQueueDestroy.argtypes = library.clQueueAbandon.argtypes = [c.c_void_p]
library.clQueueDestroy.restype = library.clQueueAbandon.restype = None
library.clQueueStatistics.argtypes = [c.c_void_p, c.POINTER(_Stats)]
library.clQueueStatistics.restype = None
library.clQueueHold.argtypes = [c.c_void_p, c.c_bool]
library.clQueueHold.restype = None
library.clSystemJudge.argtypes, library.clSystemJudge.restype = [c.POINTER(_Facts)], c.c_int
library.clReasonSolved.argtypes, library.clReasonSolved.restype = [c.c_int], c.c_bool
library.clReasonText.argtypes, library.clReasonText.restype = [c.c_int], c.c_char_p


def check(status: int, error: _Error) -> bool:
    """True, or False when the time was over; raises where the status is an error."""
    if status < 0:
        message = error.message.decode()
        raise (NotFinite if status == NOT_FINITE else Error)(status, message)
    return status != NOT_READY


def judge(**facts: Any) -> int:
    """The number of the clReason that follows from the members of a clSystemFacts."""
    return library.clSystemJudge(c.byref(_Facts(**facts)))


def solved(reason: float) -> bool:
    """True if the reason is one of success."""
    return library.clReasonSolved(int(reason))


def reason_text(reason: float) -> str:
    """A reason in words."""
    return library.clReasonText(int(reason)).decode()


def version() -> str:
    """The version of the library.

    >>> import texla
    >>> texla.version() == texla.__version__
    True
    """
    return library.clVersion().decode()


def operations() -> dict[str, dict[str, object]]:
    """The operations of a queue: name -> {"operands", "results", "help"}.

    Operands are a letter each: m a matrix or number, v a matrix, n a number; in upper case: may be left out.

    >>> import texla
    >>> texla.operations()["transpose"]["operands"]
    'v'
    """
    table: dict[str, dict[str, object]] = {}
    info, k = _Info(), 0
    while library.clQueueOperation(k, c.byref(info)):
        table[info.name.decode()] = {"operands": info.operands.decode(), "results": info.results, "help": info.help.decode()}
        k += 1
    return table
