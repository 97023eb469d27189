function [x, flag, relres, iter] = bicgstab (A, b, tol, maxit, M1, M2, x0)
% bicgstab  Solves A x = b to the relative residual tol (1e-6), which is measured in double precision. A sparse or dense, square.
%
% [x, flag, relres, iter] = bicgstab (A, b, tol, maxit, M1, M2, x0)
%
% Without M1 and M2 texla chooses a preconditioner, and with one output it returns at once. Where A or M1 is a function handle (A (x), M1 (r)
% of gpuMatrix columns) or M1 a matrix, the iteration runs here, every operation on the device in single precision.
%
%   x = bicgstab (@(v) 2 * v, gpuMatrix ([1; 2]))
  args = cell (1, 5);
  if nargin > 2, args{1} = tol; end
  if nargin > 3, args{2} = maxit; end
  if nargin > 4, args{3} = M1; end
  if nargin > 5, args{4} = M2; end
  if nargin > 6, args{5} = x0; end
  if isa (A, 'function_handle') || ~ isempty (args{3}) || ~ isempty (args{4})
    [x, flag, relres, iter] = gpuStabilized (A, gpuMatrix (b), args{1:5});
    return
  end
  if nargout < 2
    x = gpuIterate ('bicgstab', A, b, args{[1 2 5]});
  else
    [x, flag, relres, iter] = gpuIterate ('bicgstab', A, b, args{[1 2 5]});
  end
end
%!test
%! a = [4 1 0; -1 5 2; 0 1 6]; b = [1; 2; 3];
%! assert (double (bicgstab (gpuMatrix (a), b, 1e-10)), a \ b, 1e-8);
%! [x, flag, r] = bicgstab (@(v) gpuMatrix (a) * v, gpuMatrix (b), 1e-5, 20, @(r) r ./ diag (a));
%! assert (flag, 0); assert (double (x), a \ b, 1e-4); assert (r <= 1e-5);
%! assert (double (bicgstab (@(v) 2 * v, gpuMatrix ([1; 2]))), [0.5; 1], 1e-6);
