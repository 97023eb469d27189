"""What users of NumPy expect of an array: broadcasting along rows, comparisons, subscripts, pickling, processes."""
import multiprocessing
import os
import pickle
import subprocess
import sys
import tempfile
import unittest

import numpy as np
import scipy.sparse as sp

import texla


class Arrays(unittest.TestCase):
    def setUp(self):
        self.a = np.arange(12, dtype=np.float32).reshape(3, 4) - 5
        self.g = texla.asarray(self.a)

    def same(self, array, expected):
        self.assertEqual(array.shape, np.shape(expected))
        np.testing.assert_array_equal(np.asarray(array), expected)

    def test_folds_are_methods(self):
        for name in ("sum", "prod", "mean", "max", "min", "all", "any", "argmax", "argmin", "std", "var"):
            for axis in (None, 0, -1):
                wanted = getattr(self.a, name)(axis=axis)
                np.testing.assert_allclose(np.asarray(getattr(self.g, name)(axis=axis)), wanted, rtol=1e-5)
                np.testing.assert_allclose(np.asarray(getattr(np, name)(self.g, axis=axis)), wanted, rtol=1e-5)  # which calls the method
        self.assertTrue((self.g > 5).any() and not (self.g > 5).all())
        np.testing.assert_allclose(np.asarray(self.g.std(axis=0, ddof=1, keepdims=True)), self.a.std(axis=0, ddof=1, keepdims=True), rtol=1e-5)
        with self.assertRaises(TypeError):
            self.g.sum(dtype=int)

    def test_broadcasting_is_along_rows(self):
        square, row = np.arange(9.0).reshape(3, 3), np.array([10.0, 20.0, 30.0])
        self.same(texla.asarray(square) + row, square + row)
        self.same(row - texla.asarray(square), row - square)
        self.same(texla.asarray(square) * row[:, None], square * row[:, None])
        self.same(texla.asarray(row) * np.ones((1, 1)), row * np.ones((1, 1)))
        with self.assertRaises(ValueError):
            self.g + row

    def test_comparisons_compare(self):
        self.same(self.g == self.a, self.a == self.a)
        self.same(self.g != 0, self.a != 0)
        self.assertEqual((self.g < 0).dtype, bool)
        self.assertTrue(bool(texla.all(self.g == self.g)))
        self.assertFalse(bool(texla.all(self.g < 0)))
        self.assertFalse(self.g == None)  # noqa: E711
        with self.assertRaises(ValueError):
            bool(self.g < 0)
        with self.assertRaises(TypeError):
            hash(self.g)

    def test_what_goes_in_is_not_changed(self):
        matrix = sp.csr_matrix((np.array([1.0, 2.0, 3.0, 4.0]), np.array([1, 0, 0, 0]), np.array([0, 2, 4])), shape=(2, 2))
        before = matrix.data.copy(), matrix.indices.copy(), matrix.indptr.copy()
        self.same(texla.array(matrix), [[2.0, 1.0], [7.0, 0.0]])
        for then, now in zip(before, (matrix.data, matrix.indices, matrix.indptr)):
            np.testing.assert_array_equal(then, now)

    def test_subscripts(self):
        for key in (0, -1, slice(None), slice(1, None), slice(None, None, -1), slice(3, 0), [2, 0], (1, 2), (-1, -4), (slice(None), 1),
                    (slice(0, 2), slice(1, 4, 2)), (Ellipsis, 0), Ellipsis, (None, 1), (0, None), ([0, 2], slice(1, 3)),
                    (slice(None), [3, 3, 0]), np.array([True, False, True]), self.a > 0):
            with self.subTest(key=str(key)):
                self.same(self.g[key], self.a[key])
        self.same(self.g[self.g > 0], self.a[self.a > 0])
        v = texla.asarray(self.a[0])
        for key in (0, -1, slice(1, 3), [1, 1, 3], self.a[0] < -3, (None, slice(None)), (slice(None), None)):
            with self.subTest(key=str(key)):
                self.same(v[key], self.a[0][key])
        for key in (3, -4, (0, 4), [0, 5]):
            with self.subTest(key=str(key)), self.assertRaises(IndexError):
                self.g[key]
        for key in ((0, 0, 0), "a", 0.5, ([0, 1], [0, 1])):
            with self.subTest(key=str(key)), self.assertRaises(IndexError):
                self.g[key]

    def test_parts_are_replaced(self):
        for key, value in ((0, 7), ((1, 2), -3), (slice(1, None), 4), ((slice(None), 1), [1, 2, 3]), (([2, 0], slice(1, 3)), [[1, 2], [3, 4]]),
                           (self.a > 0, 0), (self.a < 0, np.arange((self.a < 0).sum())), ((slice(None, None, 2), slice(None)), [9, 8, 7, 6])):
            with self.subTest(key=str(key)):
                expected, g = self.a.copy(), texla.asarray(self.a)
                expected[key] = value
                g[key] = value
                self.same(g, expected)
        v = texla.asarray(self.a[0])
        v[1:3] = 0
        self.same(v, [-5, 0, 0, -2])
        with self.assertRaises(ValueError):
            self.g[0] = [1, 2]
        self.same(self.g, self.a)

    def test_operators_with_numpy_on_both_sides(self):
        other = self.a + 3
        for expected, made in ((other + self.a, other + self.g), (self.a / 4, self.g / 4), (2**self.a, 2**self.g), (other - self.a, other - self.g),
                               (np.exp(self.a), np.exp(self.g)), (np.maximum(self.a, 1), np.maximum(self.g, 1)), (self.a % 3, self.g % 3),
                               (self.a // 2, self.g // 2), (-self.a, -self.g), (abs(self.a), abs(self.g)), (self.a.T @ other, self.g.T @ other),
                               (other @ self.a.T, other @ self.g.T), (np.float32(2) * self.a, np.float32(2) * self.g)):
            np.testing.assert_allclose(np.asarray(made), expected, rtol=1e-5)
        g = self.g
        g += 1
        self.same(g, self.a + 1)
        with self.assertRaises(TypeError):
            np.add.reduce(self.g)
        with self.assertRaises(TypeError):
            self.g + "text"

    def test_numbers(self):
        self.assertEqual(float(self.g[0, 0]), -5.0)
        self.assertEqual(int(texla.argmax(self.g)), 11)
        self.assertEqual(list(range(3))[texla.argmin(self.g)], 0)
        self.assertEqual(self.g.sum().shape, ())
        with self.assertRaises(TypeError):
            float(self.g)
        self.assertEqual([row.shape for row in self.g], [(4,)] * 3)

    def test_pickle_dlpack_repr(self):
        self.same(pickle.loads(pickle.dumps(self.g)), self.a)
        self.assertEqual(pickle.loads(pickle.dumps(self.g > 0)).dtype, bool)
        np.testing.assert_array_equal(np.from_dlpack(self.g), self.a)
        self.assertIn("3 x 4", repr(self.g))
        self.assertEqual(np.asarray(self.g).dtype, np.float32)

    def test_empty(self):
        g = texla.zeros((0, 3))
        self.assertEqual(g.sum(axis=0).shape, (3,))
        self.assertEqual(float(g.sum()), 0)
        self.assertEqual((g + 1).shape, (0, 3))
        with self.assertRaises(ValueError):
            g.max()


def child():
    """In a process of its own, by spawn."""
    return float(texla.ones((2, 2)).sum())


class Processes(unittest.TestCase):
    @unittest.skipUnless(hasattr(os, "fork"), "no fork")
    def test_fork_is_an_error_and_no_hang(self):
        g = texla.ones(3)
        float(g.sum())
        code = 0
        pid = os.fork()
        if pid == 0:
            for ask in (lambda: g.numpy(), lambda: texla.ones(2), texla.Queue):
                try:
                    ask()
                    code = 1
                except texla.Error as error:
                    code = code or (0 if "spawn" in str(error) else 2)
            os._exit(code)
        self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), 0)
        self.assertEqual(float(g.sum()), 3)

    def test_spawn_works(self):
        float(texla.ones(3).sum())
        with multiprocessing.get_context("spawn").Pool(1) as pool:
            self.assertEqual(pool.apply(child), 4.0)

    def test_another_version_is_refused(self):
        text = subprocess.run([sys.executable, "-c", "from texla import _library as l; l._check_version('0.1.7', l.__version__)"],
                              capture_output=True, text=True).stderr
        self.assertIn("0.1.7", text)

    def test_a_library_of_another_version_is_refused(self):
        from texla import _library
        with open(_library.library._name, "rb") as file:
            bytes_of = file.read()
        found = texla.version().encode() + b"\0"
        with tempfile.TemporaryDirectory() as folder:
            for other, refused in ((b"0.1.7", True), (texla.version().rsplit(".", 1)[0].encode() + b".9", False)):
                name = os.path.join(folder, other.decode() + ".so")
                with open(name, "wb") as file:
                    file.write(bytes_of.replace(found, other.ljust(len(found), b"\0")[:len(found)]))
                run = subprocess.run([sys.executable, "-c", "import texla; print(texla.version())"], capture_output=True, text=True,
                                     env=dict(os.environ, TEXLA_LIBRARY=name))
                if refused:
                    self.assertRegex(run.stderr, r"ImportError: texla: the module is of version .*found is of version 0\.1\.7")
                else:
                    self.assertEqual(run.stdout.strip(), other.decode(), run.stderr)


if __name__ == "__main__":
    unittest.main()
