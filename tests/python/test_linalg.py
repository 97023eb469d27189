"""texla.linalg and texla.sparse.linalg beside NumPy's and SciPy's own, on random matrices."""
import sys
import unittest

import numpy as np
import scipy.sparse as sp
import scipy.sparse.linalg as spla

import texla
from texla import linalg
from texla.sparse import linalg as sparse

random = np.random.default_rng(3)
SIZES = (1, 2, 5, 16, 33)


def poisson(n):
    one = sp.diags([-1, 2, -1], [-1, 0, 1], shape=(n, n))
    return (sp.kron(one, sp.eye(n)) + sp.kron(sp.eye(n), one)).tocsr()


class Dense(unittest.TestCase):
    def close(self, made, expected, tolerance=1e-4):
        self.assertEqual(np.shape(made), np.shape(expected))
        np.testing.assert_allclose(np.asarray(made, dtype=float), expected, rtol=tolerance, atol=tolerance * max(1, np.abs(expected).max(initial=0)))

    def test_systems_in_double(self):
        for n in SIZES:
            A = random.standard_normal((n, n)) + n * np.eye(n)
            for b in (random.standard_normal(n), random.standard_normal((n, 3))):
                self.close(linalg.solve(A, b), np.linalg.solve(A, b), 1e-12)
        with self.assertRaises(linalg.LinAlgError):
            linalg.solve([[1, 2], [2, 4]], [1, 0])
        with self.assertRaises(linalg.LinAlgError):
            linalg.solve(np.ones((2, 3)), [1, 0])

    def test_least_squares(self):
        for m, n in ((5, 3), (33, 7), (4, 4), (3, 6)):
            A, b = random.standard_normal((m, n)), random.standard_normal(m)
            x, residuals, rank, _ = linalg.lstsq(A, b)
            wanted = np.linalg.lstsq(A, b, rcond=None)
            self.close(x, wanted[0], 1e-10)
            self.assertEqual(rank, wanted[2])
            self.close(residuals, wanted[1], 1e-9)
        A = np.array([[1.0, 1, 0], [1, 1, 0], [1, 0, 1], [1, 0, 1]])
        x, residuals, rank, _ = linalg.lstsq(A, np.arange(4.0))
        self.assertEqual((rank, residuals.shape), (2, (0,)))
        self.close(x, np.linalg.lstsq(A, np.arange(4.0), rcond=None)[0], 1e-6)
        for shape in ((5, 3), (3, 5), (4, 4)):
            A, b = random.standard_normal(shape) * 10.0 ** -np.arange(shape[1]), random.standard_normal(shape[0])
            for rcond in (1e-1, 1e-2, 1e-6):
                x, _, rank, _ = linalg.lstsq(A, b, rcond)
                wanted = np.linalg.lstsq(A, b, rcond)
                self.close(x, wanted[0], 1e-9)
                self.assertEqual(rank, wanted[2])
                self.close(linalg.pinv(A, rtol=rcond), np.linalg.pinv(A, rcond), 1e-9)
        for bad in (np.nan, np.inf):
            for A, b in ((np.full((3, 2), bad), np.ones(3)), (np.array([[0.0, 0], [1, bad]]), np.ones(2)), (np.ones((2, 2)), [1, bad])):
                self.assertRaises(texla.NotFinite, linalg.lstsq, A, b)

    def test_factors(self):
        for n in SIZES:
            A = random.standard_normal((n, n))
            S = A @ A.T + n * np.eye(n)
            self.close(linalg.cholesky(S), np.linalg.cholesky(S), 1e-5)
            self.close(linalg.cholesky(S, upper=True), np.linalg.cholesky(S).T, 1e-5)
            p, L, U = linalg.lu(A)
            self.close(np.asarray(L) @ np.asarray(U), A[np.asarray(p)], 1e-5)
            for options in ({}, {"section": 2, "order": "sequential", "sweep": "entries", "tolerance": 0}):
                L, U = texla.crout(S, **options)
                self.close(np.asarray(L) @ np.asarray(U), S, 1e-5)
                self.close(np.triu(L, 1), 0 * S)
                self.close(np.tril(U), np.eye(n))
            self.close(linalg.inv(S), np.linalg.inv(S), 1e-4)
            self.close(linalg.det(A), np.linalg.det(A), 1e-4)
            sign, logarithm = linalg.slogdet(A)
            self.close(sign, np.linalg.slogdet(A)[0])
            self.close(logarithm, np.linalg.slogdet(A)[1], 1e-3)
        self.assertRaises(ValueError, texla.crout, np.eye(3), order="backwards")
        self.assertRaises(texla.Error, lambda: np.asarray(texla.crout(np.eye(3), section=-1)[0]))
        for m, n in ((7, 3), (3, 7), (5, 5)):
            A = random.standard_normal((m, n))
            for mode in ("reduced", "complete"):
                Q, R = linalg.qr(A, mode=mode)
                self.assertEqual((Q.shape, R.shape), tuple(x.shape for x in np.linalg.qr(A, mode)))
                self.close(np.asarray(Q) @ np.asarray(R), A, 1e-5)
        with self.assertRaises(linalg.LinAlgError):
            linalg.cholesky([[1, 2], [2, 1]])
        with self.assertRaises(linalg.LinAlgError):
            linalg.inv([[1, 2], [2, 4]])

    def test_numbers_of_matrices(self):
        for m, n in ((1, 1), (4, 4), (7, 3), (3, 8)):
            A = random.standard_normal((m, n))
            for kind in (None, "fro", 1, -1, np.inf, -np.inf, 2, "nuc"):
                self.close(linalg.norm(A, kind), np.linalg.norm(A, kind), 1e-5)
            self.assertEqual(linalg.matrix_rank(A), np.linalg.matrix_rank(A))
            for axis in (0, 1):
                self.close(linalg.norm(A, 2, axis=axis), np.linalg.norm(A, 2, axis=axis), 1e-5)
        for kind in (None, 1, np.inf, 0, 3, -np.inf):
            self.close(linalg.norm([3.0, -4.0, 1.0], kind), np.linalg.norm([3.0, -4.0, 1.0], kind), 1e-5)
        self.close(linalg.norm([1e30, 1e30]), np.sqrt(2) * 1e30, 1e-5)
        self.assertTrue(np.isnan(float(linalg.norm([1.0, np.nan]))))
        A = random.standard_normal((5, 5)) + 5 * np.eye(5)
        for p in (None, 1, np.inf, "fro"):
            self.close(linalg.cond(A, p), np.linalg.cond(A, p), 1e-4)
        with self.assertRaises(linalg.LinAlgError):
            linalg.matrix_rank([[np.nan]])
        self.assertEqual(linalg.matrix_rank(np.outer(np.arange(5), np.arange(4.0))), 1)
        self.close(linalg.trace(A), np.trace(A))
        self.close(linalg.matrix_power(A, 3), np.linalg.matrix_power(A, 3))
        self.close(linalg.cross([1.0, 2, 3], [3.0, 1, 2]), np.cross([1, 2, 3], [3, 1, 2]))


class Sparse(unittest.TestCase):
    def setUp(self):
        self.A = poisson(12)
        self.b = random.standard_normal(self.A.shape[0])
        self.x = spla.spsolve(self.A.tocsc(), self.b)

    def solved(self, result, tolerance, A=None, b=None):
        x, info = result
        A, b = self.A if A is None else A, self.b if b is None else b
        self.assertEqual(info, 0)
        self.assertIsInstance(x, np.ndarray)
        self.assertLessEqual(np.linalg.norm(b - A @ x), 1.01 * tolerance * np.linalg.norm(b))

    def test_all_methods_all_ways(self):
        for method in (sparse.cg, sparse.bicgstab, sparse.gmres, sparse.minres):
            preconditioners = (None,) if method is sparse.minres else (None, "none", "jacobi")
            for M in preconditioners:
                for A in (self.A, self.A.toarray(), texla.array(self.A)):
                    with self.subTest(method=method.__name__, M=M, A=type(A).__name__):
                        self.solved(method(A, self.b, rtol=1e-4, M=M), 1e-4)
            seen = []
            inverse = 1 / self.A.diagonal()
            operator = sparse.LinearOperator(self.A.shape, lambda r: r * inverse.astype(np.float32))
            self.solved(method(self.A, self.b, rtol=1e-4, M=operator, callback=seen.append), 1e-4)
            self.assertGreater(len(seen), 3)
        self.solved(sparse.cg(self.A, self.b, rtol=1e-11, M="mg"), 1e-11)
        self.solved(sparse.cg(spla.aslinearoperator(self.A), self.b, rtol=1e-4), 1e-4)

    def test_limits_are_limits(self):
        for method in (sparse.cg, sparse.bicgstab, sparse.gmres):
            x, info = method(self.A, self.b, rtol=1e-10, maxiter=3, M="none")
            self.assertGreater(info, 0, method.__name__)
            x, info = method(self.A, self.b, rtol=1e-10, maxiter=3, callback=lambda _: None)
            self.assertEqual(info, 3, method.__name__)

    def test_tolerances_and_starts(self):
        norm = np.linalg.norm(self.b)
        self.solved(sparse.cg(self.A, self.b, rtol=0, atol=1e-3 * norm), 1e-3)
        x, info = sparse.cg(self.A, self.b, x0=self.x, rtol=1e-6)
        np.testing.assert_allclose(x, self.x, rtol=1e-4, atol=1e-6)
        self.assertEqual(sparse.cg(self.A, np.zeros_like(self.b))[1], 0)
        with self.assertRaises(ValueError):
            sparse.cg(self.A, self.b[:-1])
        with self.assertRaises(ValueError):
            sparse.cg(self.A, self.b, M="magic")

    def test_direct(self):
        np.testing.assert_allclose(sparse.spsolve(self.A, self.b), self.x, rtol=1e-9, atol=1e-9)
        solve = sparse.factorized(self.A)
        np.testing.assert_allclose(solve(2 * self.b), 2 * self.x, rtol=1e-9, atol=1e-9)
        several = sparse.spsolve(self.A, np.column_stack([self.b, -self.b]))
        np.testing.assert_allclose(several[:, 1], -self.x, rtol=1e-9, atol=1e-9)

    def test_indefinite_and_unsymmetric(self):
        shifted = self.A - 1.3 * sp.eye(self.A.shape[0])
        self.solved(sparse.minres(shifted.tocsr(), self.b, rtol=1e-3, maxiter=4000), 1e-3, shifted)
        skew = (self.A + sp.diags([0.5, -0.5], [1, -1], shape=self.A.shape)).tocsr()
        for method in (sparse.bicgstab, sparse.gmres):
            self.solved(method(skew, self.b, rtol=1e-8), 1e-8, skew)

    def test_operators(self):
        operator = sparse.aslinearoperator(self.A)
        np.testing.assert_allclose(np.asarray(operator @ self.b), self.A @ self.b, rtol=1e-5, atol=1e-5)
        np.testing.assert_allclose(np.asarray(operator.rmatvec(self.b)), self.A.T @ self.b, rtol=1e-5, atol=1e-5)


if __name__ == "__main__":
    unittest.main()
