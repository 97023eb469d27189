function [x, flag, relres, iter, resvec] = pcg (A, b, tol, maxit, varargin)
% pcg  Solves A x = b, A symmetric and positive definite, to the relative residual tol (1e-6), which is measured in double precision.
%
% [x, flag, relres, iter] = pcg (A, b, tol, maxit, M1, M2, x0)
%
% Without M1 and M2 texla chooses a preconditioner, and with one output it returns at once. Where A or M1 is a function handle (A (x), M1 (r)
% of gpuMatrix columns) or M1 a matrix, the iteration runs here, every operation on the device in single precision, and its residual is
% corrected in single precision.
%
%   x = pcg (@(v) 2 * v, gpuMatrix ([1; 2]))
  args = cell (1, 5);
  if nargin > 2, args{1} = tol; end
  if nargin > 3, args{2} = maxit; end
  args(3:2 + numel (varargin)) = varargin;
  if isa (A, 'function_handle') || ~ isempty (args{3}) || ~ isempty (args{4})
    [x, flag, relres, iter, resvec] = gpuConjugate (A, gpuMatrix (b), args{1:5});
  elseif nargout < 2
    x = gpuIterate ('cg', gpuMatrix (A), b, args{[1 2 5]});
  else
    [x, flag, relres, iter] = gpuIterate ('cg', gpuMatrix (A), b, args{[1 2 5]});
    resvec = [];
  end
end
%!test
%! a = [4 1 0; 1 5 2; 0 2 6]; b = [1; 2; 3];
%! assert (double (pcg (gpuMatrix (a), b, 1e-10)), a \ b, 1e-8);
%! [x, flag, r] = pcg (@(v) gpuMatrix (a) * v, gpuMatrix (b), 1e-5, 20, @(r) r ./ diag (a));
%! assert (flag, 0); assert (double (x), a \ b, 1e-4); assert (r <= 1e-5);
%! n = 1000; t = spdiags (ones (n, 1) * [-1, 2, -1], -1:1, n, n);
%! [x, flag] = pcg (gpuMatrix (t), ones (n, 1), 1e-17, 20000); % as exact as double allows
%! assert (flag, 0); assert (norm (x - t \ ones (n, 1)) <= 1e-10 * norm (x));
