"""The random systems of queue/doors through the module: the same verdicts, checked in long double."""
import os
import subprocess
import tempfile
import unittest

import numpy as np
import scipy.sparse

import texla

SINGULAR, INCONSISTENT = 6, 7


def systems():
    """Kind, matrix, right-hand side of each system that tests/test_queue writes."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "systems")
        program = os.path.join(os.environ["BINARY"], "tests", "test_queue")
        subprocess.run([program, "doors"], check=True, env={**os.environ, "TEXLA_DOORS_FILE": path}, capture_output=True)
        with open(path) as lines:
            while head := lines.readline().split():
                kind, m, n, sparse = map(int, head)
                values = np.array(lines.readline().split(), dtype=float)
                A = values[:m * n].reshape(m, n, order="F")
                yield kind, scipy.sparse.csr_matrix(A) if sparse else A, values[m * n:m * n + m]


def errors(A, b, x):
    """The componentwise backward error, and the gradient of the residual beside its size."""
    A = np.asarray(A.todense() if scipy.sparse.issparse(A) else A).astype(np.longdouble)
    r, terms = b - A @ x, np.abs(A) @ np.abs(x) + np.abs(b)
    size = np.linalg.norm(A.astype(float)) * max(np.linalg.norm(r.astype(float)), np.linalg.norm(b))
    return float((np.abs(r) / np.where(terms > 0, terms, 1)).max(initial=0)), float(np.linalg.norm((A.T @ r).astype(float)) / max(size, 1e-300))


class Doors(unittest.TestCase):
    def test_systems(self):
        eps, tried = np.finfo(float).eps, 0
        for number, (kind, A, b) in enumerate(systems()):
            tried += 1
            with self.subTest(number=number, kind=kind, shape=A.shape):
                if kind in (SINGULAR, INCONSISTENT):
                    self.assertRaises(np.linalg.LinAlgError, texla.linalg.solve, A, b)
                elif A.shape[0] != A.shape[1]:
                    x = texla.linalg.lstsq(A, b)[0].numpy()
                    self.assertTrue(min(e / t for e, t in zip(errors(A, b, x), (9 * eps, 1e-13))) <= 1)
                else:
                    self.assertLessEqual(errors(A, b, texla.linalg.solve(A, b).numpy())[0], 9 * eps)
                    self.assertLessEqual(np.linalg.norm(A @ texla.sparse.linalg.spsolve(A, b) - b), 1e-10 * abs(A).sum() + 1e-10)
        self.assertGreaterEqual(tried, 40)
        print(tried, "systems")


if __name__ == "__main__":
    unittest.main()
