function [x, flag, relres, iter] = texla_mg (A, b, tol, maxit, x0)
% texla_mg  See the function texla_mg.
%
%   e = ones (8, 1); T = spdiags ([-e 2*e -e], -1:1, 8, 8);
%   x = texla_mg (gpuMatrix (kron (speye (8), T) + kron (T, speye (8))), ones (64, 1))
  args = cell (1, 3);
  if nargin > 2, args{1} = tol; end
  if nargin > 3, args{2} = maxit; end
  if nargin > 4, args{3} = x0; end
  if nargout < 2
    x = gpuIterate ('multigrid', A, b, args{:});
  else
    [x, flag, relres, iter] = gpuIterate ('multigrid', A, b, args{:});
  end
end
