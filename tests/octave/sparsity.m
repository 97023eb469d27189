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
