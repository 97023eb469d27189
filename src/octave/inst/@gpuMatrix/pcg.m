function [x, flag, relres, iter] = pcg (A, b, tol, maxit, M1, M2, x0)
% pcg  Solves A x = b to the relative residual tol (1e-6), which is measured in double precision. A sparse or dense, square.
%
%   [x, flag, relres, iter] = pcg (A, b, tol, maxit, [], [], x0)
%
% texla chooses a preconditioner: M1 and M2 must be empty. With one output it returns at once.
  args = cell (1, 5);
  if nargin > 2, args{1} = tol; end
  if nargin > 3, args{2} = maxit; end
  if nargin > 4, args{3} = M1; end
  if nargin > 5, args{4} = M2; end
  if nargin > 6, args{5} = x0; end
  if ~ isempty (args{3}) || ~ isempty (args{4})
    error ('texla:unsupported', 'pcg: a preconditioner of your own is not available for gpuMatrix');
  end
  if nargout < 2
    x = gpuIterate ('cg', A, b, args{[1 2 5]});
  else
    [x, flag, relres, iter] = gpuIterate ('cg', A, b, args{[1 2 5]});
  end
end
