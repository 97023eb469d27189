"""The solvers of texla.sparse.linalg: no info 0 above its tolerance, what goes in, and SciPy's counts."""
import unittest

import numpy as np
import scipy.sparse as sp
import scipy.sparse.linalg as spla

import texla
from texla.sparse import linalg as sparse

METHODS = (sparse.cg, sparse.bicgstab, sparse.gmres, sparse.minres)


def tridiagonal(n, diagonal=2.0):
    return sp.diags([-1.0, diagonal, -1.0], [-1, 0, 1], shape=(n, n)).tocsr()


def backward_error(A, b, x):
    A, b, x = (np.asarray(v, dtype=np.longdouble) for v in (A, b, x))
    r = abs(b - A @ x)
    return (r / np.where(r > 0, abs(A) @ abs(x) + abs(b), 1)).max(initial=0)


class Verdicts(unittest.TestCase):
    def solved(self, A, b, limit, x, info):
        """info 0 is true: by the residual, or since no x in double is better."""
        self.assertTrue(np.isfinite(x).all())
        if info == 0:
            r = np.asarray(b, dtype=np.longdouble) - np.asarray(A, dtype=np.longdouble) @ x
            if not np.sqrt(r @ r) <= limit * (1 + 1e-6):
                self.assertLess(backward_error(A, b, x), 4e-15)
        return info == 0

    def matrix(self, kind, n):
        A = self.random.standard_normal((n, n)) * (self.random.random((n, n)) < 0.5)
        if kind in ("spd", "nearly", "graded"):
            A = A @ A.T + np.eye(n)
        if kind == "nearly":
            A *= 1 + 1e-9 * self.random.standard_normal((n, n))
        if kind == "graded":
            A *= np.outer(*[10.0 ** self.random.uniform(-4, 4, n)] * 2)
        if kind == "singular":
            A = A + A.T
            A[:, :1] = A[:1] = 0
        return A

    def test_random_systems(self):
        self.random = np.random.default_rng(5)
        forms = (lambda A: A, sp.csr_matrix, lambda A: sparse.LinearOperator(A.shape, lambda x: A @ x), spla.aslinearoperator,
                 lambda A: sparse.LinearOperator(A.shape, lambda x: A.astype(np.float32) @ x.astype(np.float32)))
        good = 0
        for trial in range(200):
            n, kind = int(self.random.integers(1, 40)), ("spd", "nearly", "graded", "singular", "general")[trial % 5]
            A, method, rtol = self.matrix(kind, n), METHODS[self.random.integers(4)], 10.0 ** self.random.integers(-12, 0)
            b = self.random.standard_normal(n) * 10.0 ** self.random.integers(-25, 25)
            diagonal = np.where(np.diag(A) > 0, np.diag(A), 1)
            more = dict(M=sparse.LinearOperator(A.shape, lambda r: r / diagonal)) if trial % 3 == 0 else dict(callback=lambda x: None)
            if trial % 2:
                more["x0"] = start = self.random.standard_normal(n)
                kept = start.copy()
            form = forms[self.random.integers(len(forms))]
            with self.subTest(trial=trial, n=n, kind=kind, method=method.__name__, rtol=rtol):
                x, info = method(form(A), b, rtol=rtol, **more)
                good += self.solved(A, b, rtol * np.sqrt((b.astype(np.longdouble)**2).sum()), x, info)
                self.assertTrue(trial % 2 == 0 or (start == kept).all())
        self.assertGreater(good, 80)

    def test_regular_systems_are_solved(self):
        K = sp.kronsum(tridiagonal(25), tridiagonal(25)).tocsr()
        b = np.arange(625.0)
        for method in METHODS:
            for A in (K, spla.aslinearoperator(K), K.astype(np.float32)):
                for rtol in (1e-5, 1e-8, 1e-11):
                    seen = []
                    x, info = method(A, b, rtol=rtol, callback=seen.append)
                    self.assertTrue(self.solved(K.toarray(), b, rtol * np.linalg.norm(b), x, info))
                    self.assertGreater(len(seen), 10)

    def test_an_inverse_needs_one_step(self):
        A = tridiagonal(40)
        dense = A.toarray()
        for method in METHODS:
            products = []
            operator = sparse.LinearOperator(A.shape, lambda x: products.append(1) or A @ x)
            x, info = method(operator, np.arange(40.0), np.zeros(40), rtol=1e-8, M=sparse.LinearOperator(A.shape, lambda r: np.linalg.solve(dense, r)))
            self.assertTrue(self.solved(dense, np.arange(40.0), 1e-8 * np.linalg.norm(np.arange(40)), x, info))
            self.assertLessEqual(len(products), 3, method.__name__)

    def test_what_single_precision_hides(self):
        G = texla.asarray(tridiagonal(30, 3.0).toarray().astype(np.float32))
        operator = sparse.LinearOperator(G.shape, lambda x: G @ x)
        A = tridiagonal(30, 3.0).astype(np.float32)
        d = (1 / np.arange(3.0, 33.0)).astype(np.float32)
        rounded = sparse.LinearOperator((30, 30), lambda x: d * x.astype(np.float32))  # finds residuals of 0 that are not
        for method in METHODS:
            x, info = method(rounded, np.ones(30), rtol=3e-8)
            self.assertFalse(info == 0 and np.linalg.norm(1 - d.astype(float) * x) > 3e-8 * np.sqrt(30))
            self.assertEqual(method(operator, np.arange(30.0), rtol=1e-5)[1], 0)
            self.assertNotEqual(method(operator, np.arange(30.0), rtol=1e-9)[1], 0)
            x, info = method(A, np.arange(30, dtype=np.float32), rtol=1e-5)
            self.assertEqual((x.dtype, info), (np.float32, 0))
            self.assertNotEqual(method(A, np.arange(30, dtype=np.float32) / 7, rtol=1e-10)[1], 0)

    def test_breakdowns_keep_the_best(self):
        singular, b = np.array([[0.0, 1, 0], [1, 0, 0], [0, 0, 0]]), np.array([1.0, 0, 1])
        for method in METHODS:
            x, info = method(singular, b, callback=lambda x: None)
            self.assertNotEqual(info, 0)
            self.assertLessEqual(np.linalg.norm(b - singular @ x), np.linalg.norm(b))
        np.testing.assert_allclose(sparse.gmres(singular, b, restart=3)[0], [0, 1, 0], atol=1e-14)
        np.testing.assert_allclose(sparse.minres(singular, b)[0], [0, 1, 0], atol=1e-14)


    def test_any_size_of_entries(self):
        P, b = tridiagonal(40, 2.5), np.arange(40.0)
        for factor in (1e200, 1e-200):
            for method in METHODS:
                for callback in (None, lambda x: None):
                    x, info = method(P * factor, b, rtol=1e-8, callback=callback)
                    self.assertEqual(info, 0, method.__name__)
                    self.assertLessEqual(np.linalg.norm(P * factor @ x - b), 1e-8 * np.linalg.norm(b))

    def test_no_diagonal(self):
        for method in METHODS:
            self.assertNotEqual(method(np.zeros((3, 3)), np.ones(3))[1], 0)


class Operands(unittest.TestCase):
    def setUp(self):
        self.A, self.b = tridiagonal(10, 4.0), np.arange(10.0)
        self.x = np.linalg.solve(self.A.toarray(), self.b)

    def test_forms(self):
        for method in METHODS:
            for A, b in ((self.A.toarray().tolist(), self.b.tolist()), (self.A, sp.csc_matrix(self.b[:, None])), (self.A, self.b[:, None]),
                         (self.A.astype(int), self.b.astype(int)), (texla.array(self.A), texla.array(self.b)), (self.A.todia(), self.b)):
                for more in ({}, {"callback": lambda x: None}, {"x0": self.b[:, None]}, {"x0": "Mb"}):
                    x, info = method(A, b, rtol=1e-9, **more)
                    self.assertEqual((x.shape, x.dtype, info), ((10,), float, 0))
                    np.testing.assert_allclose(x, self.x, atol=1e-8)
            for A in (np.zeros((0, 0)), sp.csr_matrix((0, 0))):
                self.assertEqual((method(A, [])[0].shape, method(A, [])[1]), ((0,), 0))

    def test_complex_is_refused(self):
        for method in (*METHODS, sparse.spsolve, texla.solve, texla.linalg.solve, texla.lstsq, texla.linalg.lstsq, texla.cg):
            for A, b in ((self.A * 1j, self.b), (self.A.toarray() * 1j, self.b), (self.A, self.b * 1j), (self.A, sp.csr_matrix(self.b[:, None] * 1j)),
                         (self.A, (self.b * 1j).tolist())):
                with self.subTest(method=method.__name__), self.assertRaisesRegex(TypeError, "complex"):
                    method(A, b)
        for method in METHODS:
            for more in ({"x0": self.b * 1j}, {"M": sp.eye(10) * 1j}, {"M": spla.aslinearoperator(sp.eye(10) * 1j)}):
                with self.assertRaisesRegex(TypeError, "complex"):
                    method(self.A, self.b, **more)
            for operator in (spla.aslinearoperator(self.A * 1j), sparse.LinearOperator(self.A.shape, lambda x: self.A @ x * 1j)):
                with self.assertRaisesRegex(TypeError, "complex"):
                    method(operator, self.b)
        with self.assertRaisesRegex(TypeError, "complex"):
            sparse.factorized(self.A * 1j)

    def test_what_is_not_finite_is_one_error(self):
        for bad in (np.nan, np.inf):
            b, B = self.b.copy(), self.A.copy()
            b[3] = B.data[3] = bad
            for method in (*METHODS, sparse.spsolve):
                for A, right in ((self.A, b), (B, self.b), (B.toarray(), self.b)):
                    self.assertRaises(texla.NotFinite, method, A, right)
            self.assertTrue(issubclass(texla.NotFinite, (texla.Error, ValueError)))
            self.assertRaises(texla.NotFinite, texla.solve, B, self.b)
            for method in METHODS:
                for more in ({"x0": b}, {"M": B}, {"M": sparse.LinearOperator(B.shape, lambda r: np.full(10, bad))}, {"M": B.toarray()}):
                    self.assertRaises(texla.NotFinite, method, self.A, self.b, **more)
                self.assertRaises(texla.NotFinite, method, sparse.LinearOperator(B.shape, lambda x: np.full(10, bad)), self.b)

    def test_tolerances_that_are_met_at_once(self):
        for method in METHODS:
            for A in (self.A, spla.aslinearoperator(self.A)):
                for x0 in (None, self.b, self.x):
                    more = [{"rtol": r} for r in (1, 2.5, np.inf)]
                    if method is not sparse.minres:
                        more += [{"rtol": r, "atol": a * np.linalg.norm(self.b)} for r in (0, 1e-5) for a in (1, 7, np.inf)]
                    for tolerances in more:
                        x, info = method(A, self.b, x0, **tolerances)
                        limit = max(tolerances["rtol"] * np.linalg.norm(self.b), tolerances.get("atol", 0))
                        self.assertEqual(info, 0)
                        self.assertLessEqual(np.linalg.norm(self.b - self.A @ x), limit)
                x, info = method(A, self.b, self.x, rtol=1e-9)
                self.assertEqual(info, 0)
                self.assertIsNot(x, self.x)
                np.testing.assert_allclose(x, self.x, rtol=1e-9)
                for x0 in (None, self.x):
                    x, info = method(A, 0 * self.b, x0)
                    self.assertEqual((x.any(), info), (False, 0))
            for wrong in ({"rtol": -1}, {"rtol": None}, {"rtol": np.nan}, {"maxiter": 0}, {"x0": self.b[1:]}):
                self.assertRaises(ValueError, method, self.A, self.b, **wrong)
            for shape in ((9, 10), (10,)):
                self.assertRaises(ValueError, method, np.ones(shape), self.b)

    def test_direct(self):
        A = tridiagonal(1000).tocsc()
        x = sparse.spsolve(A, np.ones(1000))
        self.assertLess(backward_error(A.toarray(), np.ones(1000), x), 4e-15)
        for b in (np.ones((10, 2)), sp.csc_matrix(np.ones((10, 2))), np.ones((10, 0)), np.ones((10, 1)), sp.csr_matrix(np.ones((10, 1))), [1] * 10):
            dense = b.toarray() if sp.issparse(b) else np.asarray(b)
            wanted = np.linalg.solve(self.A.toarray(), dense)
            for x in (sparse.spsolve(self.A, b), sparse.factorized(self.A.toarray().tolist())(b)):
                np.testing.assert_allclose(x, wanted if wanted.shape[1:] != (1,) else wanted[:, 0], rtol=1e-11)
        self.assertEqual(sparse.factorized(sp.csr_matrix((0, 0)))([]).shape, (0,))
        self.assertRaises(np.linalg.LinAlgError, sparse.spsolve, np.ones((3, 3)), [1, 2, 3])


class Counts(unittest.TestCase):
    def test_gmres_counts_as_scipy(self):
        random = np.random.default_rng(1)
        A, b = random.random((20, 20)), random.random(20)
        seen = []
        for more, calls, wanted in (({"maxiter": 2, "restart": 50}, 2, 2), ({"maxiter": 2, "restart": 50, "callback_type": "legacy"}, 2, 2),
                                    ({"maxiter": 2, "restart": 50, "callback_type": "pr_norm"}, 20, 0),
                                    ({"maxiter": 2, "restart": 50, "callback_type": "x"}, 1, 0),
                                    ({"maxiter": 3, "restart": 4, "callback_type": "pr_norm"}, 12, 3),
                                    ({"maxiter": 3, "restart": 4, "callback_type": "x"}, 3, 3)):
            seen.clear()
            x, info = sparse.gmres(A, b, rtol=1e-6, callback=seen.append, **more)
            self.assertEqual((len(seen), info), (calls, wanted), more)
            self.assertIsInstance(seen[0], np.ndarray if more.get("callback_type") == "x" else float)
        self.assertEqual(sparse.gmres(A, b, rtol=1e-9, restart=3, maxiter=4)[1], 4)
        self.assertEqual(sparse.gmres(A, b, rtol=1e-9, restart=20)[1], 0)
        self.assertRaises(ValueError, sparse.gmres, A, b, callback_type="y")

    def test_gmres_tells_the_preconditioned_norm(self):
        for M, factor in ((None, 1), (1e-3 * np.eye(6), 1e-3)):
            seen = []
            sparse.gmres(tridiagonal(6), np.ones(6), rtol=1e-16, maxiter=1, M=M, callback=seen.append)
            np.testing.assert_allclose(seen, [factor * np.sqrt(2 / 3)], rtol=1e-10)

    def test_callbacks_see_each_x(self):
        A, b = tridiagonal(20, 3.0), np.ones(20)
        for method in (sparse.cg, sparse.bicgstab, sparse.minres):
            seen = []
            x, info = method(A, b, rtol=1e-10, callback=seen.append)
            self.assertEqual(info, 0)
            np.testing.assert_array_equal(seen[-1], x)
            left = [np.linalg.norm(b - A @ x) for x in seen]
            self.assertLess(left[-1], 1e-8 * left[0])
            self.assertEqual(method(A, b, rtol=1e-10, maxiter=2, callback=seen.append)[1], 2)

    def test_first_product_is_orthogonal(self):
        A = sp.block_diag([[[0.0, 1.0], [1.0, 0.0]]] * 3).tocsr()
        b = np.array([1.0, 0.0, 2.0, 0.0, 3.0, 0.0])
        x, info = sparse.bicgstab(A, b, rtol=1e-10, M=sparse.aslinearoperator(sp.eye(6).tocsr()))
        self.assertEqual(info, 0)
        np.testing.assert_allclose(x, [0, 1, 0, 2, 0, 3], atol=1e-9)


if __name__ == "__main__":
    unittest.main()
