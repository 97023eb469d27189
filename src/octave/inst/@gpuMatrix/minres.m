function [x, flag, relres, iter] = minres (A, b, tol, maxit, M1, M2, x0)
% minres  Solves A x = b, A symmetric (it may be indefinite), by minimal residuals to the relative residual tol (1e-6).
% [x, flag, relres, iter] = minres (A, b, tol, maxit, M1, M2, x0)
%
% A and a preconditioner, positive definite, are matrices or function handles (A (x), M1 (r) of gpuMatrix columns). The iteration runs here,
% every operation on the device in single precision.
%
%   x = minres (gpuMatrix ([1 2; 2 1]), [3; 3])
  args = cell (1, 5);
  if nargin > 2, args{1} = tol; end
  if nargin > 3, args{2} = maxit; end
  if nargin > 4, args{3} = M1; end
  if nargin > 5, args{4} = M2; end
  if nargin > 6, args{5} = x0; end
  [x, flag, relres, iter] = gpuLanczos (A, gpuMatrix (b), args{:});
end
%!test
%! n = 30; a = diag ((1:n) - 7.5) + diag (ones (n - 1, 1), 1) + diag (ones (n - 1, 1), -1); b = (1:n)';
%! G = gpuMatrix (single (a));
%! for A = {G, @(v) G * v}
%!   [x, flag, r] = minres (A{1}, gpuMatrix (b), 1e-4, 100);
%!   assert (flag, 0); assert (r <= 1e-4); assert (norm (a * double (x) - b) <= 2e-4 * norm (b));
%! end
%! [x, flag, r, k] = minres (G, gpuMatrix (b), 1e-4, 100, @(r) r ./ (1 + abs (diag (G))));
%! assert (flag, 0); assert (k < 100); assert (norm (a * double (x) - b) <= 2e-4 * norm (b));
%! [~, flag] = minres (G, gpuMatrix (b), 1e-4, 2); assert (flag, 1);
%! assert (double (minres (G, 0 * b)), 0 * b);
