% Sparse systems: mldivide, pcg, bicgstab, gmres, multigrid, products; the real matrices where they are.
1; % a script
function A = poisson (n)
  e = ones (n, 1);
  T = spdiags ([-e, 2 * e, -e], -1:1, n, n);
  A = kron (T, speye (n)) + kron (speye (n), T);
end
rand ('twister', 4);
A = poisson (24); b = rand (24^2, 1); G = gpuMatrix (A);
assert (norm (A * double (G \ b) - b) <= 1e-10 * norm (b));
assert (norm (A * double (A \ gpuMatrix (b)) - b) <= 1e-10 * norm (b));
assert (norm (A * double (G \ [b, 2 * b]) - [b, 2 * b], 'fro') <= 1e-10 * norm (b));
for f = {@pcg, @bicgstab, @texla_mg}
  [x, flag, relres, iterations] = f{1} (G, b, 1e-8, 2000);
  assert (flag, 0);
  assert (norm (A * double (x) - b) <= 1.01e-8 * norm (b));
  assert (relres <= 1e-8 && iterations > 0);
  x = f{1} (G, b, 1e-8, 2000); % one output: does not wait
  assert (norm (A * double (x) - b) <= 1.01e-8 * norm (b));
end
[x, flag] = gmres (G, b, [], 1e-8, 2000);
assert (flag == 0 && norm (A * double (x) - b) <= 1.01e-8 * norm (b));
[x, flag] = pcg (G, b, 1e-8, 2);
assert (flag != 0);
[x, flag, ~, iterations] = pcg (G, b, 1e-6, 2000, [], [], A \ b);
assert (flag == 0 && iterations <= 2);
y = double (texla_mg (A, b, 1e-9));
assert (norm (A * y - b) <= 1e-8 * norm (b));
near (G * b, A * b, 1e-5);
near (G * [b, b + 1], A * [b, b + 1], 1e-5);
near (G + 1, full (A) + 1, 1e-5);
s = sprand (60, 60, 0.1) + 10 * speye (60);
near (gpuMatrix (s) \ ones (60, 1), s \ ones (60, 1), 1e-10);
near (gpuMatrix (s) * ones (60, 1), s * ones (60, 1), 1e-5);
data = getenv ('TEXLA_DATA_DIR');
for name = {'494_bus', 'nos3', 'bcsstk09', 'west0067', 'fs_183_1'}
  file = fullfile (data, 'matrices', [name{1} '.mtx']);
  if isempty (data) || ! exist (file, 'file')
    continue
  end
  f = fopen (file);
  symmetric = ! isempty (strfind (fgetl (f), 'symmetric'));
  do
    line = fgetl (f);
  until line(1) != '%'
  n = sscanf (line, '%d');
  t = fscanf (f, '%f', [3, Inf])';
  fclose (f);
  A = sparse (t(:, 1), t(:, 2), t(:, 3), n(1), n(2));
  if symmetric
    A = A + A' - diag (diag (A));
  end
  b = A * ones (columns (A), 1);
  x = double (gpuMatrix (A) \ b);
  assert (norm (A * x - b) <= 1e-8 * norm (b));
end
