% Sparse matrices stay sparse: 65536 x 65536, which nothing could hold with its zeros.
n = 65536;
e = ones (n, 1);
g = spdiags ([-e, 2 * e, -e, 0.1 * e], [-1 0 1 256], n, n);
G = gpuMatrix (g);
x = rand (n, 1);
one = speye (n);
pairs = {G, g, G * 2, g * 2, -3 * G, -3 * g, G / 4, g / 4, G + one, g + one, one - G, one - g, G + G', g + g', ...
         G * G, g * g, G .* g, g .* g, -G, -g, abs(G), abs(g), sqrt(abs(G)), sqrt(abs(g)), floor(G), floor(g), G(3:900, 2:700), ...
         g(3:900, 2:700), G(5, :), g(5, :), G(:, [7 7 9]), g(:, [7 7 9]), sin(G), sin(g), G', g', tril(G), tril(g), triu(G, 1), triu(g, 1), tril(G, -3), tril(g, -3)};
for k = 1:2:numel (pairs)
  assert (issparse (pairs{k}));
  y = double (pairs{k});
  assert (issparse (y) && isequal (size (y), size (pairs{k + 1})));
  worst = full (max (max (abs (y - pairs{k + 1}))));
  if worst > 1e-14
    error ('pair %d: off by %g', (k + 1) / 2, worst);
  end
end
assert (double (sum (G)), full (sum (g)), 1e-13);
assert (double (sum (G, 2)), full (sum (g, 2)), 1e-13);
for p = {1, Inf, 'fro'}
  assert (double (norm (G, p{1})), norm (g, p{1}), 1e-4 * norm (g, p{1}));
end
assert (double (nnz (G)), nnz (g));
for k = [0 -1 256 5 1e5]
  assert (isequal (double (diag (G, k)), full (diag (g, k))));
end
assert (double (trace (G)), full (trace (g)), 1e-6 * n);
assert (max (abs (double (G * x) - g * x)) < 1e-5);
assert (! issparse (G * x));
% entries alone are touched and what zeros do not survive is refused, saying what to do
pairs = {G .^ 2, g .^ 2, G > 0, g > 0, 0 < G, 0 < g, G ~= 0, g ~= 0, G & G', g & g', max(G, 0), max(g, 0), min(G, G'), min(g, g'), ...
         kron([1 2], G), kron([1 2], g), kron(G, [1; 2]), kron(g, [1; 2]), [G; G], [g; g], [G, x], [g, x], repmat(G, 1, 2), repmat(g, 1, 2), ...
         reshape(G, 2 * n, n / 2), reshape(g, 2 * n, n / 2), blkdiag(G, one), blkdiag(g, one), G([5; n + 2; 9]), g([5; n + 2; 9]), G(G > 1), g(g > 1), ...
         diag(G(:, 5)), diag(g(:, 5)), mod(G, 2), mod(g, 2), G * gpuMatrix(3), g * 3};
for k = 1:2:numel (pairs)
  assert (issparse (pairs{k}));
  y = gather (pairs{k});
  assert (issparse (y) && isequal (size (y), size (pairs{k + 1})) && islogical (y) == islogical (pairs{k + 1}));
  if nnz (abs (y - pairs{k + 1}) > 1e-14) > 0
    error ('pair %d is off', (k + 1) / 2);
  end
end
[m, k] = max (G);
[w, at] = max (g);
assert (isequal (double (m), full (w)) && isequal (double (k), at));
for dim = 1:2
  assert (isequal (double (min (G, [], dim)), full (min (g, [], dim))));
  assert (isequal (gather (any (G > 1, dim)), full (any (g > 1, dim))) && isequal (gather (all (G, dim)), full (all (g, dim))));
end
H = G;
H(3, 5) = 7;
H(n + 2, :) = 0;
H(H < -0.5) = 0;
h = g;
h(3, 5) = 7;
h(n + 2, :) = 0;
h(h < -0.5) = 0;
assert (issparse (H) && isequal (double (H), h));
assert (norm (double (x' * G) - x' * g, Inf) < 1e-5);
for what = {'G + 1', 'exp (G)', 'G < 1', 'cumsum (G)', 'sort (G)', 'inv (G)', 'full (G)'}
  message = '';
  try
    double (eval (what{1}));
  catch failure
    message = failure.message;
  end
  assert (! isempty (strfind (message, 'use parts of')));
end
message = '';
try
  double (sqrt (G));
catch failure
  message = failure.message;
end
assert (! isempty (strfind (message, 'sqrt: entry (1, 2) would be no real number')));
% systems are solved as well as by Octave, singular ones with its warning
s = sprandn (200, 200, 0.02) + 5 * speye (200);
b = rand (200, 2);
S = gpuMatrix (s);
for pair = {double(S \ b), s \ b; double(S' \ b), s' \ b}'
  assert (norm (pair{1} - pair{2}, 1) <= 1e-14 * norm (pair{2}, 1));
end
lastwarn ('');
y = double (gpuMatrix (sparse ([1 2 0; 2 4 0; 0 0 1])) \ [1; 1; 1]);
assert (! isempty (strfind (lastwarn (), 'singular')));
assert (y, [0.12; 0.24; 1], 1e-14);
h = sprandn (60, 50, 0.2);
H = gpuMatrix (h);
assert (! issparse (H + 1) && ! issparse (H .* NaN) && ! issparse (H == 0) && ! issparse (full (H)));
near (H + 1, full (h + 1));
near (H .* ones (60, 50), h);
near (H * h', h * h');
a = evalc ('H');
assert (! isempty (strfind (lower (a), 'sparse')));
