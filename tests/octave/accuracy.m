% A \ b of doubles is as accurate as Octave's own, whatever was done to move A's entries; a singular A gives Octave's warning.
warning ('off', 'Octave:nearly-singular-matrix', 'local');
warning ('off', 'Octave:singular-matrix', 'local');
rand ('twister', 7);
a = rand (40) + 1e-9 * rand (40) + eye (40);
b = rand (40, 1) / 3;
A = gpuMatrix (a);
k = [40:-1:21, 1:20];
wanted = a \ b;
systems = {A, a, A', a', A(:, :), a, A(k, :), a(k, :), A(:, k)', a(:, k)', [A(1:7, :); A(8:40, :)], a, [A(:, 1:7), a(:, 8:40)], a, ...
           reshape(A(:), 40, 40), a, flipud(A), flipud(a), circshift(A, 3), circshift(a, 3), full(gpuMatrix(sparse(a))), a, ...
           triu(A), triu(a), tril(A) + 0, single(tril (a)), A(A > -1)', a(:)'};
for n = 1:2:numel (systems) - 2
  x = double (systems{n} \ b);
  y = systems{n + 1} \ b;
  tolerance = 1e-13;
  if isa (y, 'single')
    tolerance = 1e-4;
    assert (class (gather (systems{n} \ b)), 'single');
  else
    assert (class (gather (systems{n} \ b)), 'double');
  end
  if norm (x - y) > tolerance * norm (y) * cond (double (systems{n + 1}))
    error ('system %d: off by %g', n, norm (x - y) / norm (y));
  end
end
assert (double (b' / A), b' / a, 1e-13);
% as accurate as Octave's, up to the last digit of rcond; the shortest solution where Octave warns
for n = 3:11
  h = hilb (n);
  x = h * ones (n, 1);
  for X = {gpuMatrix(h) \ x, gpuMatrix(h)' \ x, (x' / gpuMatrix (h))'}
    assert (norm (double (X{1}) - 1) <= 20 * norm (h \ x - 1) + 1e-12);
  end
end
lastwarn ('');
warning ('on', 'Octave:nearly-singular-matrix', 'local'); % those of the next lines are printed
x = double (gpuMatrix (hilb (13)) \ (hilb (13) * ones (13, 1)));
[text, id] = lastwarn ();
assert (id, 'Octave:nearly-singular-matrix');
assert (! isempty (strfind (text, 'matrix singular to machine precision, rcond = ')));
assert (norm (hilb (13) * (x - 1)) <= 1e-12);
lastwarn ('');
x = double (gpuMatrix (single (magic (4))) \ (1:4)');
[text, id] = lastwarn ();
assert (strncmp (id, 'Octave:', 7));
assert (x, pinv (magic (4)) * (1:4)', 1e-6);
assert (double (gpuMatrix ([1 1; 1 1; 2 2]) \ [1; 2; 3]), pinv ([1 1; 1 1; 2 2]) * [1; 2; 3], 1e-12);
assert (double (gpuMatrix ([1 1 2; 1 1 2]) \ [1; 2]), pinv ([1 1 2; 1 1 2]) * [1; 2], 1e-12);
q = orth (rand (30)); % condition 1e10
c = q * diag (logspace (0, -10, 30)) * q';
assert (norm (double (gpuMatrix (c) \ (c * ones (30, 1))) - 1) <= 1e-4);
assert (norm (double (inv (gpuMatrix (hilb (6)))) - inv (hilb (6))) <= 1e-6 * norm (inv (hilb (6))));
% what is not there is told
for text = {'g(:, :, 2) = 1;', 'g(1, 2, 3) = 9;', 'g(gpuMatrix (5), 1);', 'g(100, 1);', 'g(gpuMatrix (100));', 'g(0, 1);', 'g(1, 1, 2);'}
  g = gpuMatrix (magic (4));
  try
    eval (text{1});
    error ('no error');
  catch e
    assert (strncmp (e.identifier, 'texla:', 6));
  end
  assert (double (g), magic (4));
end
g(:, :, 1) = 7; g(2, 3, 1) = 1;
assert (double (g), [7 7 7 7; 7 7 1 7; 7 7 7 7; 7 7 7 7]);
found = 0;
switch gpuMatrix (2), case 1, found = 1; case {2, 5}, found = 2; otherwise, found = 3; end
assert (found, 2);
for p = {1, 2, Inf, 'fro'}
  assert (double (norm (gpuMatrix ([NaN 1; 2 3]), p{1})), norm ([NaN 1; 2 3], p{1}));
  assert (double (norm (gpuMatrix ([Inf 1; 2 3]), 1)), Inf);
end
% what is written stays double, and touches no copy
a = rand (40) + eye (40); A = gpuMatrix (a); B = A;
A(3, 4) = pi; a(3, 4) = pi; A(5, :) = 1 / 3; a(5, :) = 1 / 3; A([1 7 9]) = [1 2 3] / 7; a([1 7 9]) = [1 2 3] / 7;
assert (double (A), a);
assert (double (A \ b), a \ b, 1e-13);
assert (double (B(3, 4)) ~= pi);
A = A + 0; a = double (single (a)); % known on the device alone
for k = 1:40, A(k, 41 - k) = k; a(k, 41 - k) = k; end
assert (double (A), a);
