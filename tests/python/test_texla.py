"""The Python module against NumPy and SciPy."""
import gc
import multiprocessing
import pathlib
import pickle
import unittest

import numpy as np
import scipy.sparse as sp

import texla

rng = np.random.default_rng(1)


def poisson(n):
    T = sp.diags([-1, 2, -1], [-1, 0, 1], shape=(n, n))
    return (sp.kron(T, sp.eye(n)) + sp.kron(sp.eye(n), T)).tocsr()


def fail(error):
    """In another process."""
    raise error


class Errors(unittest.TestCase):
    """They come back from other processes as they were raised there; a pool would wait for ever for one that does not."""

    errors = [texla.Error(-4, "no memory"), texla.ShapeError("3 and 4"), texla.NotReady(2, "not yet")]

    def assert_same(self, got, error):
        self.assertEqual((type(got), str(got), got.status, got.where), (type(error), str(error), error.status, "here"))

    def test_pickled(self):
        for error in self.errors:
            error.where = "here"
            for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
                self.assert_same(pickle.loads(pickle.dumps(error, protocol)), error)

    def test_processes(self):
        for method in multiprocessing.get_all_start_methods():
            with multiprocessing.get_context(method).Pool(1) as pool:
                for error in self.errors:
                    error.where = "here"
                    with self.assertRaises(texla.Error) as raised:
                        pool.apply_async(fail, [error]).get(timeout=100)
                    self.assert_same(raised.exception, error)


class Values(unittest.TestCase):
    def test_round_trip(self):
        for shape in [(1, 1), (3, 5), (5, 3), (7,), (0, 3), (64, 65)]:
            for kind in (np.float32, np.float64):
                x = rng.random(shape).astype(kind)
                A = texla.array(x)
                self.assertEqual(A.shape, shape)
                np.testing.assert_array_equal(A.numpy(kind), x)
        x = rng.random((6, 8))
        for view in (x.T, x[::2, 1:], x[:, ::-1]):
            np.testing.assert_array_equal(texla.array(view).numpy(), view)
        np.testing.assert_array_equal(np.asarray(texla.array([[1, 2], [3, 4]])), [[1, 2], [3, 4]])

    def test_operators(self):
        x, y = rng.random((5, 7)) + 1, rng.random((5, 7)) + 1
        A, B = texla.array(x), texla.array(y)
        for f in (lambda a, b: a + b, lambda a, b: a - 2 * b, lambda a, b: a / b, lambda a, b: a ** 2 - b,
                  lambda a, b: 1 / a - (-b), lambda a, b: (a > b) + 0 * a, lambda a, b: a @ b.T, lambda a, b: abs(1 - a)):
            np.testing.assert_allclose(f(A, B).numpy(), np.asarray(f(x, y), dtype=float), rtol=1e-5, atol=1e-5)
        np.testing.assert_allclose((x.T @ A).numpy(), x.T @ x, rtol=1e-5)
        np.testing.assert_allclose((x + A).numpy(), 2 * x, rtol=1e-6)
        np.testing.assert_allclose(texla.exp(A).numpy(), np.exp(x), rtol=1e-5)
        np.testing.assert_allclose(A.sum(0).numpy(), x.sum(0), rtol=1e-5)
        np.testing.assert_allclose(A.sum(1).numpy(), x.sum(1), rtol=1e-5)
        np.testing.assert_allclose(float(A.sum().numpy()), x.sum(), rtol=1e-5)
        v = rng.random(7)
        self.assertEqual((A @ v).shape, (5,))
        np.testing.assert_allclose((A @ v).numpy(), x @ v, rtol=1e-5)

    def test_table(self):
        self.assertIn("multiply", texla.operations())
        self.assertIn("kron", dir(texla))
        header = pathlib.Path(__file__).parents[2] / "include/texla/version.h"
        self.assertIn(f'"{texla.version()}"', header.read_text())
        self.assertTrue(texla.kron.__doc__)
        with self.assertRaises(AttributeError):
            texla.no_such_thing
        L, U, p = texla.lu(rng.random((6, 6)), results=3)
        self.assertEqual(L.shape, (6, 6))


class Systems(unittest.TestCase):
    def test_solve(self):
        A = poisson(20)
        b = rng.random(400)
        for x in (texla.solve(A, b), texla.solve(A, b, 1e-10), texla.solve(A, b, 1e-10, "multigrid")):
            self.assertEqual(x.shape, (400,))
            self.assertLess(np.linalg.norm(A @ x - b), 1.1e-10 * np.linalg.norm(b))
        x, info = texla.cg(A, b, 1e-8)
        self.assertEqual(info[0], 1)
        self.assertLess(np.linalg.norm(A @ x - b), 1.1e-8 * np.linalg.norm(b))
        dense = rng.random((50, 50)) + 50 * np.eye(50)
        B = rng.random((50, 3))
        np.testing.assert_allclose(texla.solve(dense, B), np.linalg.solve(dense, B), rtol=1e-11)
        np.testing.assert_allclose((texla.array(A) @ b).numpy(), A @ b, rtol=1e-4, atol=1e-4)
        with self.assertRaises(texla.Error):
            texla.solve(A, b, 1e-12, "no_such_method")

    def test_rectangular(self):
        A, b, w = rng.random((40, 7)), rng.random(40), rng.random(40) + 0.1
        want = np.linalg.lstsq(A, b, rcond=None)[0]
        for x in (texla.solve(A, b), texla.lstsq(A, b), texla.solve(sp.csr_matrix(A), b)):
            self.assertEqual(x.shape, (7,))
            np.testing.assert_allclose(x, want, rtol=1e-11)
        root = np.sqrt(w)
        np.testing.assert_allclose(texla.lstsq(A, b, w), np.linalg.lstsq(root[:, None] * A, root * b, rcond=None)[0], rtol=1e-11)
        np.testing.assert_allclose(texla.solve(A.T, b[:7]), np.linalg.lstsq(A.T, b[:7], rcond=None)[0], rtol=1e-10)

    def test_factors(self):
        A = rng.random((20, 20))
        S = A @ A.T + np.eye(20)
        np.testing.assert_allclose(texla.cholesky(S).numpy(), np.linalg.cholesky(S).T, atol=1e-4)
        with self.assertRaisesRegex(texla.Error, "cholesky"):
            texla.cholesky(-S).numpy()
        Q, R, _ = texla.qr(A, results=3)
        np.testing.assert_allclose((Q @ R).numpy(), A, atol=1e-5)
        B = rng.random((9, 5))
        T = np.diag(np.full(9, 4.0)) - np.diag(np.ones(8), -1) - np.diag(np.ones(8), 1)
        np.testing.assert_allclose(texla.tridiagonal(-1, 4, -1, B).numpy(), np.linalg.solve(T, B), rtol=1e-13)

    def test_order(self):
        x = rng.random((33, 5)).astype(np.float32)
        s, k = texla.call("sort", x, 1, results=2)
        np.testing.assert_array_equal(s.numpy(np.float32), np.sort(x, axis=0))
        np.testing.assert_array_equal(k.numpy() - 1, np.argsort(x, axis=0, kind="stable"))
        np.testing.assert_array_equal(texla.argmax(x, axis=0).numpy(), x.argmax(0))
        np.testing.assert_allclose(texla.cumsum(x, 1).numpy(), np.cumsum(x, axis=0), rtol=1e-5)

    def test_storages(self):
        A, v = poisson(12), rng.random(144)
        for storage in range(6):
            np.testing.assert_allclose((texla.call("sparse", A, storage) @ v).numpy(), A @ v, atol=1e-5)

    def test_singular(self):
        with self.assertRaisesRegex(texla.Error, "solve"):
            texla.solve(np.ones((3, 3)), np.ones(3))


class Background(unittest.TestCase):
    def test_queue(self):
        with texla.Queue() as q:
            x = rng.random((30, 30))
            q.hold()
            C = q.array(x) @ x
            D = C @ C
            D.read()
            self.assertFalse(D.ready())
            self.assertFalse(D.wait(0.02))
            with self.assertRaises(texla.NotReady):
                D.numpy(seconds=0.02)
            self.assertEqual(q.stats()["queued"], 2)
            q.hold(False)
            np.testing.assert_allclose(D.numpy(), x @ x @ x @ x, rtol=1e-4)
            self.assertTrue(q.drain())
            with self.assertRaisesRegex(texla.Error, "30 x 30 and 4 x 4"):
                C @ np.ones((4, 4))
            bad = texla.inverse(q.array(np.ones((3, 3))))
            with self.assertRaisesRegex(texla.Error, "inverse"):
                (bad + 1).numpy()
            q.hold()
            E = C + 1
            E.cancel()
            q.hold(False)
            with self.assertRaisesRegex(texla.Error, "cancelled"):
                E.numpy()
        with self.assertRaisesRegex(texla.Error, "closed"):
            C.numpy()
        q.close()
        with self.assertRaises(texla.Error):
            texla.Queue(device="no such device")

    def test_memory(self):
        with texla.Queue() as q:
            for k in range(300):
                A = q.array(np.ones((50, 50)))
                B = (A @ A + 1).numpy() if k % 30 == 0 else A @ A
            del A, B
            gc.collect()
            q.drain()
            self.assertLessEqual(q.stats()["values"], 2)
            self.assertLess(q.stats()["device_bytes"], 50e6)

    def test_refusals(self):
        for bad in (np.ones((2, 2, 2)), np.array([1j])):
            with self.assertRaises((ValueError, TypeError)):
                texla.array(bad)
        with texla.Queue() as a, texla.Queue() as b:
            with self.assertRaisesRegex(texla.Error, "another queue"):
                a.array([1.0]) + b.array([1.0])


if __name__ == "__main__":
    unittest.main()
