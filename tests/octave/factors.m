% Factorizations, least squares, tridiagonal systems, order and statistics against Octave's own, over shapes of all kinds.
rand ('twister', 5);
for s = {[1 1], [5 3], [3 5], [8 8], [40 17], [17 40], [101 64]}
  m = s{1}(1); n = s{1}(2); k = min (m, n);
  a = rand (m, n); A = gpuMatrix (a);
  [Q, R] = qr (A);
  near (Q * R, a, 1e-5); near (Q' * Q, eye (m), 1e-5);
  assert (istriu (double (R)));
  [Q, R, p] = qr (A, 0);
  near (Q * R, a(:, double (p)), 1e-5); near (Q' * Q, eye (k), 1e-5);
  r = abs (diag (double (R))); % pivots come in order, up to a factor of four
  assert (isscalar (r) || isempty (r) || isrow (double (R)) || all (r(2:end) <= 4 * r(1:end - 1)));
  [Q, R, P] = qr (A);
  near (Q * R, a * double (P), 1e-5);
  near (norm (A), norm (a), 1e-5);
  b = rand (m, 2);
  x = a \ b;
  assert (norm (double (A \ b) - x) <= 1e-11 * norm (x)); % tall, wide, square: to double accuracy
  assert (norm (double (gpuMatrix (sparse (a)) \ b) - x) <= 1e-10 * norm (x));
  near (gpuMatrix (single (a)) \ single (b), single (a) \ single (b), 1e-2);
  assert (norm (double (b' / A') - b' / a') <= 1e-4 * norm (x));
  if m >= n
    w = rand (m, 1) + 0.1;
    x = lscov (a, b, w);
    assert (norm (double (lscov (A, b, w)) - x) <= 1e-11 * norm (x));
    x = lscov (a, b);
    assert (norm (double (lscov (A, b)) - x) <= 1e-11 * norm (x));
  end
  if m > n
    [x, e, v, C] = lscov (a, b(:, 1), w); [X, E, V, D] = lscov (A, b(:, 1), w);
    near (X, x, 1e-11); near (E, e, 1e-8); near (V, v, 1e-9); near (D, C, 1e-8);
  end
  g = a' * a + eye (n); G = gpuMatrix (g);
  near (chol (G), chol (g), 1e-5);
  near (chol (G, 'lower'), chol (g, 'lower'), 1e-5);
  near (chol (triu (G)), chol (g), 1e-5); % one triangle counts
  near (chol (tril (G), 'lower'), chol (g, 'lower'), 1e-5);
  bad = ceil (n / 2);
  g(bad, bad) = -1;
  [r, p] = chol (g); [R, P] = chol (gpuMatrix (g));
  assert (P, p);
  near (R, r, 1e-5);
  [L, U, P] = lu (A); Y = double (lu (A)); % other pivots than Octave's where two are nearly alike
  near (P * A, (tril (Y, -1)(:, 1:k) + eye (m, k)) * triu (Y)(1:k, :), 1e-5);
  d = rand (m, n) + 3; X = tridiag (-1, d, -ones (m, 1), a);
  for j = 1:n
    T = diag (d(:, j)) - diag (ones (m - 1, 1), 1) - diag (ones (m - 1, 1), -1);
    x(1:m, j) = T \ a(:, j);
  end
  assert (norm (double (X) - x(1:m, 1:n)) <= 1e-13 * norm (x));
  near (tridiag (-1, abs (gpuMatrix (d)), -1, A), x(1:m, 1:n), 1e-5);
  c = round (4 * rand (m, n)) / 4; % entries that are equal
  c(1) = NaN; f = single (c); F = gpuMatrix (f);
  for dim = 1:2
    for how = {'ascend', 'descend'}
      [v, i] = sort (f, dim, how{1}); [V, I] = sort (F, dim, how{1});
      near (V, v); near (I, i);
    end
    [v, i] = max (f, [], dim); [V, I] = max (F, [], dim); near (V, v); near (I, i);
    [v, i] = min (f, [], dim); [V, I] = min (F, [], dim); near (V, v); near (I, i);
    near (cumsum (F, dim), cumsum (f, dim), 1e-5);
    near (cumprod (F, dim), cumprod (f, dim), 1e-5);
    near (median (F, dim), median (f, dim), 1e-6);
    near (var (A, 0, dim), var (a, 0, dim), 1e-5);
    near (std (A, 1, dim), std (a, 1, dim), 1e-5);
    near (diff (A, 1, dim), diff (a, 1, dim), 1e-5);
    near (flip (A, dim), flip (a, dim));
    near (circshift (A, 3, dim), circshift (a, 3, dim));
  end
  near (sort (F), sort (f)); near (cumsum (F), cumsum (f), 1e-5); near (median (F), median (f), 1e-6);
  near (find (F > 0.5), find (f > 0.5));
  [i, j, v] = find (F); [I, J, V] = find (f); near (i, I); near (j, J); near (v, V);
  assert (double (nnz (F)), nnz (f));
  assert (isequal (A, A) && isequal (A, a) && ! isequal (A, a + 1));
end
A = gpuMatrix ([NaN 1; NaN 2]);
[m, i] = max (A); near (m, [NaN 2]); near (i, [1 2]);
near (rot90 (gpuMatrix ([1 2; 3 4])), rot90 ([1 2; 3 4]));
assert (num2str (gpuMatrix (pi)), num2str (pi));
assert (sprintf ('%g,', gpuMatrix ([1 2])), '1,2,');
assert (class (int32 (gpuMatrix (3.2))), 'int32');
if (gpuMatrix (2) > 1), else, error ('a condition'); end
S = sparse (gpuMatrix (diag ([1 0 2])));
assert (issparse (S) && issparse (S') && issparse (S * 2) && ! issparse (S + 2) && isequal (S, diag ([1 0 2])));
x = 1 + 2^-40;
assert (full (double (gpuMatrix (sparse (x)))(1)), x); % sparse values stay doubles
near ([1:3](gpuMatrix ([true false true])), [1 3]);
