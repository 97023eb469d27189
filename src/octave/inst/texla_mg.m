function varargout = texla_mg (A, b, varargin)
% texla_mg  Solves A x = b by multigrid cycles, for a sparse A from a grid (five- or nine-point stencils).
%
%   [x, flag, relres, iter] = texla_mg (A, b, tol, maxit, x0)
%
% With one output it returns at once, a gpuMatrix.
  varargout = cell (1, max (nargout, 1));
  [varargout{:}] = texla_mg (gpuMatrix (A), b, varargin{:});
end
