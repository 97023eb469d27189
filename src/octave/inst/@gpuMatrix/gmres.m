function [x, flag, relres, iter] = gmres (A, b, restart, tol, maxit, M1, M2, x0)
% gmres  Solves A x = b to the relative residual tol (1e-6), measured in double precision; texla chooses when to restart.
% [x, flag, relres, iter] = gmres (A, b, restart, tol, maxit, M1, M2, x0)
%
% Where A or M1 is a function handle (A (x), M1 (r) of gpuMatrix columns) or M1 a matrix, the iteration runs here, every operation on the
% device in single precision, restarted as told (10), maxit times at most; the residual is that of M2^-1 M1^-1 (b - A x).
%
%   x = gmres (@(v) [2; 3] .* v, gpuMatrix ([1; 2]))
  args = cell (1, 6);
  if nargin > 2, args{1} = restart; end
  if nargin > 3, args{2} = tol; end
  if nargin > 4, args{3} = maxit; end
  if nargin > 5, args{4} = M1; end
  if nargin > 6, args{5} = M2; end
  if nargin > 7, args{6} = x0; end
  if isa (A, 'function_handle') || ~ isempty (args{4}) || ~ isempty (args{5})
    [x, flag, relres, iter] = gpuArnoldi (A, gpuMatrix (b), args{:});
  elseif nargout < 2
    x = gpuIterate ('gmres', A, b, args{[2 3 6]});
  else
    [x, flag, relres, iter] = gpuIterate ('gmres', A, b, args{[2 3 6]});
  end
end
%!test
%! n = 30; a = diag (4 + (1:n)) + diag (ones (n - 1, 1), 1) - 2 * diag (ones (n - 1, 1), -1); b = (1:n)';
%! G = gpuMatrix (single (a));
%! for restart = {[], 4}
%!   [x, flag, r, iter] = gmres (@(v) G * v, gpuMatrix (b), restart{1}, 1e-5, 20);
%!   assert (flag, 0); assert (r <= 1e-5); assert (norm (double (x) - a \ b) <= 1e-4 * norm (a \ b));
%! end
%! [x, flag] = gmres (@(v) G * v, gpuMatrix (b), 10, 1e-5, 20, @(r) r ./ diag (G));
%! assert (flag, 0); assert (norm (double (x) - a \ b) <= 1e-4 * norm (a \ b));
%! [~, flag] = gmres (@(v) G * v, gpuMatrix (b), 2, 1e-5, 1); assert (flag, 1);
%! assert (double (gmres (@(v) G * v, gpuMatrix (0 * b))), 0 * b);
%! % a preconditioner that hides a part of the residual
%! [~, flag] = gmres (@(y) 2 * y, gpuMatrix (ones (3, 1)), [], [], [], @(y) y .* gpuMatrix ([1; 1; 0])); assert (flag != 0);
