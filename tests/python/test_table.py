"""Every function of the array API standard that texla has, on random arrays of all kinds, against NumPy; prints how many were tried.

Arrays are empty, a row, a column, odd, larger; their entries random, small integers, with NaN and infinities, huge, tiny. NumPy computes
in double precision from the same single-precision numbers.
"""
import sys
import warnings

import numpy as np

import texla

warnings.simplefilter("ignore")
random = np.random.default_rng(5)
SHAPES = [(), (1,), (7,), (64,), (0,), (1, 1), (1, 5), (6, 1), (3, 4), (17, 9), (0, 3), (3, 0)]
EPS, SMALLEST = 2.0**-23, 2.0**-126


def entries(kind, shape):
    x = random.standard_normal(shape)
    if kind == "integers":
        x = random.integers(-9, 10, shape).astype(float)
    if kind == "special":
        x = np.where(random.random(shape) < 0.3, random.choice([np.nan, np.inf, -np.inf, 0.0, -0.0], shape), x)
    if kind == "huge":
        x = x * 2.0**60
    if kind == "tiny":
        x = x * 2.0**-60
    return np.asarray(x, dtype=np.float32)


KINDS = ["random", "integers", "special", "huge", "tiny"]
tried, right, wrong = 0, 0, []


def agrees(made, expected, tolerance, scale):
    if made.shape != np.shape(expected):
        return f"shape {made.shape} instead of {np.shape(expected)}"
    got, wanted = np.asarray(made, dtype=float), np.asarray(expected, dtype=float)
    with np.errstate(all="ignore"):
        beyond = np.abs(wanted) >= 3.4e38  # what single precision cannot hold is infinite
        wanted = np.where(beyond, np.copysign(np.inf, wanted), wanted)
        close = np.abs(got - wanted) <= tolerance * EPS * np.maximum(np.abs(wanted), scale) + SMALLEST
    fine = close | (got == wanted) | (np.isnan(got) & np.isnan(wanted)) | (beyond & (np.abs(got) > 3.3e38))
    if np.all(fine):
        return ""
    k = np.flatnonzero(~np.atleast_1d(fine).ravel())[0]
    return f"{np.atleast_1d(got).ravel()[k]!r} instead of {np.atleast_1d(wanted).ravel()[k]!r}"


def check(name, arguments, expected, tolerance=4, scale=0.0):
    """One call; what NumPy refuses (`expected` None) has to be refused."""
    global tried, right
    tried += 1
    text = f"{name}{tuple(np.shape(a) for a in arguments)}"
    try:
        made = getattr(texla, name)(*arguments)
        message = agrees(made, expected, tolerance, scale) if expected is not None else "was not refused"
    except (ValueError, IndexError) as error:
        message = "" if expected is None else f"{type(error).__name__}: {error}"
    if message:
        wrong.append(f"{text}: {message}")
    else:
        right += 1


def numpy_of(function, *arguments):
    try:
        return function(*(np.asarray(a, dtype=float) if isinstance(a, np.ndarray) else a for a in arguments))
    except ValueError:
        return None


# name: (NumPy's, roundoffs, kinds of entries, bounds that entries are brought into)
UNARY = {"abs": (np.abs, 1, KINDS, None), "acos": (np.arccos, 32, ["random", "special"], (-1, 1)), "asin": (np.arcsin, 32, ["random", "special"], (-1, 1)),
         "atan": (np.arctan, 32, KINDS, None), "ceil": (np.ceil, 0, KINDS, None), "cos": (np.cos, 8, ["random", "integers"], None),
         "cosh": (np.cosh, 16, ["random", "integers"], None), "exp": (np.exp, 16, ["random", "integers", "special"], None), "floor": (np.floor, 0, KINDS, None),
         "isfinite": (np.isfinite, 0, KINDS, None), "isinf": (np.isinf, 0, KINDS, None), "isnan": (np.isnan, 0, KINDS, None),
         "log": (np.log, 8, KINDS, (0, np.inf)), "log2": (np.log2, 8, KINDS, (0, np.inf)), "log10": (np.log10, 8, KINDS, (0, np.inf)),
         "logical_not": (np.logical_not, 0, KINDS, None), "negative": (np.negative, 0, KINDS, None), "positive": (np.positive, 0, KINDS, None),
         "reciprocal": (lambda x: 1 / x, 4, ["random", "integers", "huge"], None), "round": (np.round, 0, KINDS, None), "sign": (np.sign, 0, KINDS, None),
         "sin": (np.sin, 8, ["random", "integers"], None), "sinh": (np.sinh, 16, ["random", "integers"], None), "sqrt": (np.sqrt, 4, KINDS, (0, np.inf)),
         "square": (np.square, 2, KINDS, None), "tan": (np.tan, 64, ["random"], None), "tanh": (np.tanh, 16, ["random", "integers"], None),
         "trunc": (np.trunc, 0, KINDS, None)}
BINARY = {"add": (np.add, 1, KINDS), "subtract": (np.subtract, 1, KINDS), "multiply": (np.multiply, 1, KINDS), "divide": (np.divide, 4, ["random", "integers"]),
          "atan2": (np.arctan2, 32, ["random", "integers"]), "hypot": (np.hypot, 4, ["random", "integers"]), "maximum": (np.maximum, 0, KINDS),
          "minimum": (np.minimum, 0, KINDS), "remainder": (np.remainder, 8, ["integers"]), "floor_divide": (np.floor_divide, 0, ["integers"]),
          "equal": (np.equal, 0, KINDS), "not_equal": (np.not_equal, 0, KINDS), "less": (np.less, 0, KINDS), "less_equal": (np.less_equal, 0, KINDS),
          "greater": (np.greater, 0, KINDS), "greater_equal": (np.greater_equal, 0, KINDS), "logical_and": (np.logical_and, 0, KINDS),
          "logical_or": (np.logical_or, 0, KINDS), "logical_xor": (np.logical_xor, 0, KINDS), "pow": (np.power, 32, ["integers"])}
FOLDS = {"sum": (np.sum, 8), "prod": (np.prod, 64), "max": (np.max, 0), "min": (np.min, 0), "mean": (np.mean, 8), "var": (np.var, 32), "std": (np.std, 32),
         "all": (np.all, 0), "any": (np.any, 0), "argmax": (np.argmax, 0), "argmin": (np.argmin, 0), "count_nonzero": (np.count_nonzero, 0)}


def brought(x, bounds):
    return x if bounds is None else np.where(np.isfinite(x), np.clip(np.abs(x) if bounds[0] == 0 else x, *bounds), x).astype(np.float32)


for name, (function, tolerance, kinds, bounds) in UNARY.items():
    for kind in kinds:
        for shape in SHAPES:
            x = brought(entries(kind, shape), bounds)
            if name == "log":
                x = np.abs(x)
            expected = numpy_of(function, x)
            check(name, (x,), expected, tolerance, scale=1.0 if name in ("sin", "cos", "tan", "log", "log2", "log10", "acos", "asin", "atan") else 0.0)

PAIRS = [(s, s) for s in SHAPES] + [((3, 4), (4,)), ((4,), (3, 4)), ((3, 1), (1, 4)), ((3, 4), ()), ((), (7,)), ((7, 1), (5,)), ((3, 4), (3,)),
                                    ((2, 3), (3, 2)), ((1, 4), (3, 1)), ((64,), (1,))]
for name, (function, tolerance, kinds) in BINARY.items():
    for kind in kinds:
        for a, b in PAIRS:
            x, y = entries(kind, a), entries(kind, b)
            if name == "pow":
                x, y = np.abs(x) + 1, np.clip(y, -3, 3)
            if name in ("divide", "remainder", "floor_divide"):
                y = np.where(y == 0, np.float32(1), y)
            expected = numpy_of(function, x, y)
            # a sum is rounded relative to what was added
            scale = np.nanmax(np.abs(np.concatenate([x.ravel(), y.ravel()])), initial=0.0, where=True) if name in ("add", "subtract") else 0.0
            if name == "atan2":
                scale = 1.0
            check(name, (x, y), expected, tolerance, scale if np.isfinite(scale) else 0.0)


def folded(name, function, x, axis, keepdims):
    def of(values):
        if name in ("argmax", "argmin", "count_nonzero"):
            return function(values, axis=axis, keepdims=keepdims)
        return function(values, axis=axis, keepdims=keepdims)
    return numpy_of(of, x)


for name, (function, tolerance) in FOLDS.items():
    for kind in ("random", "integers", "special"):
        for shape in SHAPES[1:]:
            for axis in (None, *range(-len(shape), len(shape))):
                for keepdims in (False, True):
                    x = entries(kind, shape)
                    if name in ("var", "std", "mean", "sum", "prod") and kind == "special":
                        continue
                    expected = folded(name, function, x, axis, keepdims)
                    tried += 1
                    try:
                        made = getattr(texla, name)(x, axis=axis, keepdims=keepdims)
                        scale = float(np.sum(np.abs(x))) if name in ("sum", "mean") else float(np.sum(x.astype(float)**2)) if name in ("var", "std") else 0.0
                        message = agrees(made, expected, tolerance, scale) if expected is not None else "was not refused"
                    except (ValueError, IndexError) as error:
                        message = "" if expected is None else f"{type(error).__name__}: {error}"
                    right += not message
                    if message:
                        wrong.append(f"{name}({kind} {shape}, axis={axis}, keepdims={keepdims}): {message}")

MOVES = {"flip": lambda x: (np.flip(x), texla.flip(x)), "transpose": lambda x: (np.transpose(x), texla.transpose(x)),
         "roll": lambda x: (np.roll(x, 2), texla.roll(x, 2)), "reshape": lambda x: (np.reshape(x, -1), texla.reshape(x, -1)),
         "concat": lambda x: (np.concatenate([x, x]), texla.concat([x, x])), "concat_last": lambda x: (np.concatenate([x, x], -1), texla.concat([x, x], axis=-1)),
         "cumulative_sum": lambda x: (np.cumsum(x, -1), texla.cumulative_sum(x, axis=-1)), "sort": lambda x: (np.sort(x), texla.sort(x)),
         "argsort": lambda x: (np.argsort(x, kind="stable"), texla.argsort(x)), "sort_first": lambda x: (np.sort(x, axis=0), texla.sort(x, axis=0)),
         "diff": lambda x: (np.diff(x), texla.diff(x)), "tile": lambda x: (np.tile(x, (2, 3)), texla.tile(x, (2, 3))),
         "where": lambda x: (np.where(x > 0, x, 0), texla.where(texla.asarray(x) > 0, x, 0)), "clip": lambda x: (np.clip(x, -1, 1), texla.clip(x, -1, 1)),
         "expand_dims": lambda x: (np.expand_dims(x, 0), texla.expand_dims(x)), "take": lambda x: (np.take(x, [0, -1, 0], axis=-1), texla.take(x, [0, -1, 0], axis=-1)),
         "astype": lambda x: (x.astype(bool), texla.astype(texla.asarray(x), bool)), "broadcast_to": lambda x: (np.broadcast_to(x, (3,) + x.shape), texla.broadcast_to(x, (3,) + x.shape))}
for name, both in MOVES.items():
    for kind in KINDS:
        for shape in SHAPES[1:]:
            x = entries(kind, shape)
            if (name == "cumulative_sum" and kind == "special") or (name in ("expand_dims", "broadcast_to") and len(shape) == 2) or (
                    name == "take" and 0 in shape):
                continue
            tried += 1
            try:
                expected, made = both(x)
                message = agrees(made, expected, 8, float(np.sum(np.abs(x))) if name == "cumulative_sum" else 0.0)
            except Exception as error:
                message = f"{type(error).__name__}: {error}"
            right += not message
            if message:
                wrong.append(f"{name}({kind} {shape}): {message}")

for m, k, n in [(1, 1, 1), (3, 4, 5), (17, 9, 1), (1, 64, 33), (31, 32, 33), (5, 0, 3), (0, 4, 2)]:
    for kind in ("random", "integers", "huge", "tiny"):
        x, y = entries(kind, (m, k)), entries(kind if kind != "tiny" else "random", (k, n))  # products of tiny ones are no normal numbers
        scale = float(np.max(np.abs(x.astype(float)) @ np.abs(y.astype(float)), initial=0))
        if kind == "huge" and scale > 1e38:
            continue
        check("matmul", (x, y), x.astype(float) @ y.astype(float), 16, scale)
        if n == 1:
            check("matmul", (x, y[:, 0]), x.astype(float) @ y[:, 0].astype(float), 16, scale)

print(f"{tried} calls tried, {right} right, {len(wrong)} wrong")
for line in wrong[:40]:
    print("  " + line)
sys.exit(len(wrong) > 0 or tried < 2000)
