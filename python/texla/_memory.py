"""Matrices in memory as the library sees them, and waiting that Ctrl-C interrupts."""
from __future__ import annotations

import time
from typing import Callable

import numpy as np

from ._library import _Host

SLICE = 0.1  # seconds of one wait, so that Ctrl-C interrupts


def until(ask: Callable[[float], bool], seconds: float | None) -> bool:
    """Asks in slices until the answer is yes or the time is over."""
    end = None if seconds is None else time.monotonic() + seconds
    while True:
        left = SLICE if end is None else max(min(SLICE, end - time.monotonic()), 0)
        if ask(left):
            return True
        if end is not None and time.monotonic() >= end:
            return False


def host(matrix: np.ndarray) -> _Host:
    """The library's view of a matrix in memory, which it keeps alive."""
    size = matrix.itemsize
    if any(s % size for s in matrix.strides):
        raise ValueError("texla: the array's strides are no multiples of its numbers")
    row, col = (s // size for s in matrix.strides)
    if not row and not col:  # all entries are one, or there is only one: any steps but both zero
        matrix = np.asfortranarray(matrix)
        row, col = 1, matrix.shape[0]
    made = _Host(int(matrix.dtype == np.float64), *matrix.shape, row, col, matrix.ctypes.data)
    made.keep = matrix
    return made
