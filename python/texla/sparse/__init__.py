"""Sparse matrices: SciPy's go in, `texla.sparse.linalg` solves with them."""
from . import linalg

__all__ = ["linalg"]
