function [x, flag, relres, iter] = gmres (A, b, restart, tol, maxit, M1, M2, x0)
% gmres  Solves A x = b to the relative residual tol (1e-6), measured in double precision; texla chooses when to restart.
%
%   x = gmres (gpuMatrix ([4 1; -1 3]), [1; 2])
  args = cell (1, 3);
  if nargin > 3, args{1} = tol; end
  if nargin > 4, args{2} = maxit; end
  if nargin > 7, args{3} = x0; end
  if (nargin > 5 && ~ isempty (M1)) || (nargin > 6 && ~ isempty (M2))
    error ('texla:unsupported', 'gmres: a preconditioner of your own is not available for gpuMatrix');
  end
  if nargout < 2
    x = gpuIterate ('gmres', A, b, args{:});
  else
    [x, flag, relres, iter] = gpuIterate ('gmres', A, b, args{:});
  end
end
