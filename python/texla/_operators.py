"""What Array does with operators, subscripts, methods and NumPy's own functions: the functions of this package, put into the class."""
from __future__ import annotations

import sys
from typing import Any, Callable

import numpy as np

from . import _functions
from ._array import Array
from ._parts import get, put
from ._queue import default_queue

_VERSIONS = ("2021.12", "2022.12", "2023.12")


def _unpickle(values: np.ndarray) -> Array:
    return default_queue().array(values)


def _reduce(self: Array) -> tuple[Callable[..., Array], tuple[np.ndarray]]:
    return _unpickle, (self.numpy(),)


def _namespace(self: Array, *, api_version: str | None = None) -> Any:
    if api_version not in (None, *_VERSIONS):
        raise ValueError(f"texla: version {api_version} of the array API standard is not known")
    return sys.modules[__name__.rpartition(".")[0]]


def _iterate(self: Array) -> Any:
    if self.ndim == 0:
        raise TypeError("iteration over an array that is a number")
    return (get(self, k) for k in range(len(self)))


def _reshape(self: Array, *shape: Any) -> Array:
    """The same entries, row after row, in another shape; one side may be -1."""
    return _functions.reshape(self, shape[0] if len(shape) == 1 else shape)


def _ufunc(self: Array, ufunc: np.ufunc, method: str, *inputs: Any, **keywords: Any) -> Any:
    function = _functions.UFUNCS.get(ufunc.__name__)
    if function is None or method != "__call__" or keywords:
        return NotImplemented
    return function(*inputs)


def _unary(name: str) -> Callable[[Array], Array]:
    function = getattr(_functions, name)

    def method(self: Array) -> Array:
        return function(self)

    method.__doc__ = function.__doc__
    return method


def _fold(name: str, spread: bool = False) -> Callable[..., Array]:
    """A method with the arguments that NumPy's functions hand on: np.sum(G) calls G.sum(axis=None, dtype=None, out=None). The sums
    of a spread, std or var, are divided by n - ddof."""
    function = getattr(_functions, name)

    def method(self: Array, axis: Any = None, dtype: None = None, out: None = None, ddof: float = 0.0, *, keepdims: bool = False) -> Array:
        if dtype is not None or out is not None or (ddof and not spread):
            raise TypeError(f"texla: {name} takes neither dtype nor out")
        return function(self, axis=axis, keepdims=keepdims, **({"correction": ddof} if spread else {}))

    method.__doc__ = function.__doc__
    return method


def _binary(name: str, swapped: bool) -> Callable[[Array, Any], Any]:
    function = getattr(_functions, name)

    def method(self: Array, other: Any) -> Any:
        if isinstance(other, (str, bytes, dict, type(None))):
            return NotImplemented
        return function(other, self) if swapped else function(self, other)

    return method


def _in_place(name: str) -> Callable[[Array, Any], Array]:
    function = getattr(_functions, name)

    def method(self: Array, other: Any) -> Array:
        made = function(self, other)
        if made.shape != self.shape:
            raise ValueError(f"texla: an array of shape {self.shape} cannot take over one of shape {made.shape}")
        self._become(made)
        return self

    return method


_BOTH_SIDES = {"add": "add", "sub": "subtract", "mul": "multiply", "truediv": "divide", "floordiv": "floor_divide", "mod": "remainder",
               "pow": "pow", "and": "logical_and", "or": "logical_or", "xor": "logical_xor", "matmul": "matmul"}
_COMPARISONS = {"lt": "less", "le": "less_equal", "gt": "greater", "ge": "greater_equal", "eq": "equal", "ne": "not_equal"}

_members: dict[str, Any] = {
    "__array_namespace__": _namespace, "__array_ufunc__": _ufunc, "__reduce__": _reduce, "__iter__": _iterate, "__getitem__": get,
    "__setitem__": put, "__neg__": _unary("negative"), "__pos__": _unary("positive"), "__abs__": _unary("abs"),
    "__invert__": _unary("logical_not"), "T": property(_unary("transpose")), "mT": property(_unary("matrix_transpose")),
    "reshape": _reshape}
_members.update({name: _fold(name) for name in ("sum", "prod", "mean", "max", "min", "all", "any", "argmax", "argmin")})
_members.update({name: _fold(name, True) for name in ("std", "var")})
for _method, _function in _BOTH_SIDES.items():
    _members[f"__{_method}__"] = _binary(_function, False)
    _members[f"__r{_method}__"] = _binary(_function, True)
    _members[f"__i{_method}__"] = _in_place(_function)
for _method, _function in _COMPARISONS.items():
    _members[f"__{_method}__"] = _binary(_function, False)
for _method, _member in _members.items():
    setattr(Array, _method, _member)
