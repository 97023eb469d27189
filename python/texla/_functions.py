"""The functions of the Python array API standard for real arrays of up to two dimensions, each a few operations of a queue.

Modules stand on each other in this order: _library, _memory, _array (values), _queue, _shapes, _creation, _entries, _forms, _parts, _axes,
_products, this one, _operators (which puts the functions into Array), linalg, sparse. None imports a later one."""
from __future__ import annotations

from typing import Any, Callable

from . import _axes, _creation, _entries, _forms, _parts, _products
from ._axes import *  # noqa: F401,F403
from ._creation import *  # noqa: F401,F403
from ._entries import *  # noqa: F401,F403
from ._forms import *  # noqa: F401,F403
from ._parts import *  # noqa: F401,F403
from ._products import *  # noqa: F401,F403

__all__: list[str] = []
__all__ += _axes.__all__
__all__ += _creation.__all__
__all__ += _entries.__all__
__all__ += _forms.__all__
__all__ += _parts.__all__
__all__ += _products.__all__

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
