"""Functions of the array API standard that work entry by entry."""
from __future__ import annotations

from typing import Any, Callable

from ._array import Array
from ._creation import asarray, nan
from ._shapes import _map, _one

__all__ = ["abs", "acos", "add", "asin", "atan", "atan2", "ceil", "clip", "cos", "cosh", "divide", "equal", "exp", "floor",
           "floor_divide", "greater", "greater_equal", "hypot", "isfinite", "isinf", "isnan", "less", "less_equal", "log", "log10",
           "log2", "logical_and", "logical_not", "logical_or", "logical_xor", "maximum", "minimum", "multiply", "negative",
           "not_equal", "positive", "pow", "reciprocal", "remainder", "round", "sign", "sin", "sinh", "sqrt", "square", "subtract",
           "tan", "tanh", "trunc", "where"]


def _unary(operation: str, summary: str, kind: str = "f") -> Callable[[Any], Array]:
    def function(x: Any, /) -> Array:
        return _one(operation, x, kind)

    function.__doc__ = summary
    return function


def _binary(operation: str, summary: str, kind: str = "f") -> Callable[[Any, Any], Array]:
    def function(x1: Any, x2: Any, /) -> Array:
        return _map(operation, x1, x2, kind=kind)

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
add = _binary("plus", "x1 + x2.")
subtract = _binary("minus", "x1 - x2.")
multiply = _binary("times", "x1 x2, entry by entry.")
divide = _binary("rdivide", "x1 / x2, entry by entry.")
pow = _binary("power", "x1 to the power of x2; NaN where that is not real.")
hypot = _binary("hypot", "The root of x1^2 + x2^2.")
equal = _binary("eq", "True where both are equal.", "b")
greater = _binary("gt", "True where x1 > x2.", "b")
greater_equal = _binary("ge", "True where x1 >= x2.", "b")
less = _binary("lt", "True where x1 < x2.", "b")
less_equal = _binary("le", "True where x1 <= x2.", "b")
logical_and = _binary("and", "True where neither is 0.", "b")
logical_or = _binary("or", "True where one is not 0.", "b")
not_equal = _binary("ne", "True where both differ.", "b")


def atan(x: Any, /) -> Array:
    """Inverse tangents."""
    return _with_nan(_one("atan", x), x, x)


def atan2(x1: Any, x2: Any, /) -> Array:
    """The angle of the point (x2, x1)."""
    return _with_nan(_map("atan2", x1, x2), x1, x2)


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
