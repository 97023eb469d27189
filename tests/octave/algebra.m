% Products, eliminations, norms against Octave's own.
rand ('twister', 3);
for s = {[1 1 1], [2 3 4], [7 1 5], [1 9 1], [33 20 17], [64 64 64]}
  m = s{1}(1); k = s{1}(2); n = s{1}(3);
  a = single (rand (m, k)); b = single (rand (k, n));
  A = gpuMatrix (a); B = gpuMatrix (b);
  near (A * B, a * b, 1e-5);
  near (A * b, a * b, 1e-5);
  near (B' * A', b' * a', 1e-5);
  near (sum (A * B), sum (a * b), 1e-5);
  for p = {1, Inf, 'fro'}
    near (norm (A, p{1}), norm (a, p{1}), 1e-5);
  end
  near (norm (A(:)), norm (a(:)), 1e-5);
  near (norm (A(:), 1), norm (a(:), 1), 1e-5);
  near (dot (A(:), A(:)), dot (a(:), a(:)), 1e-5);
  near (dot (A, A), dot (a, a), 1e-5);
  [L, U, P] = lu (A);
  near (P * A, double (L) * double (U), 1e-5);
  assert (istriu (double (U)) && istril (double (L)) && isequal (sum (double (P)), ones (1, m)));
  [L, U, p] = lu (A, 'vector');
  near (A(double (p), :), double (L) * double (U), 1e-5);
  [L, U] = lu (A);
  near (A, double (L) * double (U), 1e-5);
end
for n = [1 2 5 40 101]
  a = rand (n) + n * eye (n); A = gpuMatrix (a); b = rand (n, 3);
  x = a \ b;
  assert (norm (double (A \ b) - x) <= 1e-13 * norm (x)); % doubles are refined to
  assert (norm (double (a \ gpuMatrix (b)) - x) <= 1e-13 * norm (x));
  near (gpuMatrix (single (a)) \ b, x, 1e-5);
  near (b' / A, b' / a, 1e-5);
  near (inv (A), inv (a), 1e-4);
  near (det (A / n), det (a / n), 1e-3);
  near (trace (A), trace (a), 1e-5);
  near (A ^ 3, a ^ 3, 1e-5);
  near (A ^ 0, eye (n));
  near (A ^ -1, inv (a), 1e-4);
  assert (double (rank (A)), rank (a));
  r = [a, b];
  near (rref (gpuMatrix (r)), rref (r), 1e-4);
end
assert (double (rank (gpuMatrix (magic (4)))), 3);
[R, k] = rref (gpuMatrix (magic (4)));
assert (k, [1 2 3]);
near (R, rref (magic (4)), 1e-5);
near (zeros (3, 0) * gpuMatrix (zeros (0, 2)), zeros (3, 2));
near (2 * gpuMatrix ([1 2]), [2 4]);
near (det (gpuMatrix ([0 1; 1 0])), -1);
