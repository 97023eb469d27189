"""Every function of texla.linalg on matrices of all kinds, against numpy.linalg; prints how many calls were tried.

Kinds of entries: random, small integers, singular ones, with NaN or infinities, huge and tiny, and as far from 1 as only doubles are (1e100,
1e-100). Shapes: empty, one row, one column, wide, high, square. Where NumPy raises, so must texla; where NumPy's result is not finite
because an entry is not, texla may refuse the matrix instead, but never return another number; so it may systems with entries that single
precision cannot hold.
"""
import sys
import warnings

import numpy as np

import texla
from texla import linalg

warnings.simplefilter("ignore")
random = np.random.default_rng(7)
SQUARE = [(1, 1), (2, 2), (3, 3), (8, 8), (33, 33)]
ALL = SQUARE + [(1, 5), (5, 1), (7, 3), (3, 7), (33, 8), (0, 0), (0, 3), (3, 0)]
FAR = {"huge": 2.0**60, "tiny": 2.0**-60, "1e100": 2.0**332, "1e-100": 2.0**-332}
KINDS = ["random", "integers", "singular", "nan", "inf", *FAR]
tried, right, wrong = 0, 0, []


def matrix(kind, shape):
    x = random.standard_normal(shape) + 3 * np.eye(*shape)
    if kind == "integers":
        x = random.integers(-9, 10, shape) + 30 * np.eye(*shape, dtype=int)
    if kind == "singular" and min(shape) > 1:
        x[-1] = x[0]
        x[:, -1] = x[:, 0]
    if kind in ("nan", "inf") and x.size:
        x[-1, 0] = float(kind)
    return x * FAR.get(kind, 1)


def same(made, expected, tolerance):
    """Is each value right to that tolerance, relative to the largest of its array?"""
    for got, wanted in zip(made, expected):
        got, wanted = np.asarray(got, dtype=float), np.asarray(wanted, dtype=float)
        if got.shape != wanted.shape:
            return f"shape {got.shape} instead of {wanted.shape}"
        finite = np.isfinite(wanted)
        scale = np.abs(wanted[finite]).max(initial=0)
        with np.errstate(all="ignore"):
            fine = np.where(finite, np.abs(got - wanted) <= tolerance * scale, (got == wanted) | (np.isnan(got) & np.isnan(wanted)))
        if not np.all(fine):
            k = np.flatnonzero(~np.atleast_1d(fine).ravel())[0]
            return f"{np.atleast_1d(got).ravel()[k]!r} instead of {np.atleast_1d(wanted).ravel()[k]!r}"
    return ""


def values(result):
    return tuple(result) if isinstance(result, tuple) else (result,)


def call(function, arguments):
    """(values, None), or (None, the error)."""
    try:
        return tuple(np.asarray(x, dtype=float) for x in values(function(*arguments))), None
    except (np.linalg.LinAlgError, ValueError, IndexError, texla.Error) as error:
        return None, error


def check(name, kind, numpys, texlas, arguments, tolerance):
    global tried, right
    tried += 1
    expected, refused = call(numpys, arguments)
    made, error = call(texlas, arguments)
    if refused is not None:
        message = "" if error is not None else f"was not refused ({refused})"
    elif error is not None:
        may_refuse = kind in ("nan", "inf") or kind == "1e100" and "single precision cannot hold" in str(error)
        message = "" if may_refuse else f"{type(error).__name__}: {error}"
    else:
        message = same(made, expected, tolerance)
    right += not message
    if message:
        wrong.append(f"{name}({kind}, {', '.join(str(np.shape(a)) for a in arguments)}): {message}")


def product(factors):
    """Factors are compared by their product: signs of columns may differ."""
    return lambda a: np.asarray(factors(a)[0], dtype=float) @ np.asarray(factors(a)[1], dtype=float)


def fitted(a, b):
    """NumPy's lstsq, which may never end where entries are not finite."""
    if not np.isfinite(a).all():
        raise np.linalg.LinAlgError("not finite")
    return np.linalg.lstsq(a, b, rcond=None)


def spd(function):
    return lambda a: function(a @ a.T / (np.abs(a).max(initial=0) or 1) ** 2 + np.eye(len(a)))


# name: (NumPy's, texla's, tolerance, kinds, shapes)
SINGLE = [k for k in KINDS if k not in ("1e100", "1e-100")]  # results that only doubles hold are not there
TABLE = {
    "det": (np.linalg.det, linalg.det, 1e-4, [k for k in KINDS if k != "singular"], ALL),
    "slogdet": (lambda a: tuple(np.linalg.slogdet(a)), linalg.slogdet, 1e-4, [k for k in KINDS if k != "singular"], ALL),
    "matrix_rank": (np.linalg.matrix_rank, linalg.matrix_rank, 0, KINDS, [s for s in ALL if min(s)]),
    "inv": (np.linalg.inv, linalg.inv, 1e-4, [k for k in SINGLE if k != "singular"], ALL),
    "pinv": (np.linalg.pinv, linalg.pinv, 1e-4, ["random", "integers", "nan"], [s for s in ALL if min(s)]),
    "cholesky": (spd(np.linalg.cholesky), spd(linalg.cholesky), 1e-4, SINGLE, ALL),
    "qr": (product(np.linalg.qr), product(linalg.qr), 1e-5, SINGLE, [s for s in ALL if min(s)]),
    "svdvals": (lambda a: np.linalg.svd(a, compute_uv=False), linalg.svdvals, 1e-12, KINDS, [s for s in ALL if min(s)]),
    "eigvalsh": (lambda a: np.linalg.eigvalsh(a + a.T), lambda a: linalg.eigvalsh(a + a.T), 1e-12, KINDS, SQUARE),
    "trace": (np.trace, linalg.trace, 1e-5, SINGLE, [s for s in ALL if min(s)]),
    "diagonal": (np.diagonal, linalg.diagonal, 1e-6, SINGLE, [s for s in ALL if min(s)]),
    "matrix_power 3": (lambda a: np.linalg.matrix_power(a, 3), lambda a: linalg.matrix_power(a, 3), 1e-4, ["random", "integers"], ALL),
    "matrix_power -2": (lambda a: np.linalg.matrix_power(a, -2), lambda a: linalg.matrix_power(a, -2), 1e-3, ["random", "integers"], ALL),
    "cond": (np.linalg.cond, linalg.cond, 1e-9, [k for k in KINDS if k != "singular"], SQUARE),
    "cond 1": (lambda a: np.linalg.cond(a, 1), lambda a: linalg.cond(a, 1), 1e-3, [k for k in SINGLE if k != "singular"], SQUARE),
}
for order in ("fro", 1, -1, np.inf, -np.inf, 2, -2, "nuc"):
    TABLE[f"norm {order}"] = (lambda a, o=order: np.linalg.norm(a, o), lambda a, o=order: linalg.norm(a, o), 1e-5, SINGLE, ALL)
for name, (numpys, texlas, tolerance, kinds, shapes) in TABLE.items():
    for kind in kinds:
        for shape in shapes:
            check(name, kind, numpys, texlas, (matrix(kind, shape),), tolerance)

for kind in KINDS:
    for shape in ALL:
        a = matrix(kind, shape)
        for right_side in ((shape[0],), (shape[0], 3)):
            b = random.standard_normal(right_side) * FAR.get(kind, 1)
            if kind != "singular":  # where NumPy may or may not see it
                check("solve", kind, np.linalg.solve, linalg.solve, (a, b), 1e-10)
            if min(shape):
                check("lstsq", kind, fitted, linalg.lstsq, (a, b), 1e-7)
for kind in SINGLE:
    for size in (0, 1, 5, 64):
        x = matrix(kind, (size, 1)).ravel()
        for order in (None, 1, 2, 3, np.inf, -np.inf, 0):
            check(f"norm {order}", kind, lambda x, o=order: np.linalg.norm(x, o), lambda x, o=order: linalg.norm(x, o), (x,), 1e-5)
        check("outer", kind, np.outer, linalg.outer, (x, random.standard_normal(4)), 1e-6)

print(f"{tried} calls tried, {right} right, {len(wrong)} wrong")
for line in wrong[:60]:
    print("  " + line)
sys.exit(len(wrong) > 0 or tried < 1000)
