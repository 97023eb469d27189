function varargout = texla_mg (A, b, varargin)
% texla_mg  Solves A x = b by multigrid cycles, for a sparse A from a grid (five- or nine-point stencils).
%
% [x, flag, relres, iter] = texla_mg (A, b, tol, maxit, x0)
%
% With one output it returns at once, a gpuMatrix.
%
%   e = ones (8, 1); T = spdiags ([-e 2*e -e], -1:1, 8, 8);
%   x = texla_mg (kron (speye (8), T) + kron (T, speye (8)), ones (64, 1))
  varargout = cell (1, max (nargout, 1));
  [varargout{:}] = texla_mg (gpuMatrix (A), b, varargin{:});
end
%!test
%! n = 16; e = ones (n, 1); T = spdiags ([-e, 2 * e, -e], -1:1, n, n);
%! A = kron (T, speye (n)) + kron (speye (n), T); b = ones (n^2, 1);
%! [x, flag] = texla_mg (A, b, 1e-9);
%! assert (flag, 0);
%! assert (norm (A * double (x) - b) <= 1e-8 * norm (b));
%!demo
%! % Poisson's equation on 256 x 256 points, Octave's conjugate gradients and texla's
%! n = 256; e = ones (n, 1); T = spdiags ([-e, 2 * e, -e], -1:1, n, n);
%! A = kron (T, speye (n)) + kron (speye (n), T); b = rand (n^2, 1);
%! tic; [x, flag] = pcg (A, b, 1e-5, 5000); toc
%! G = gpuMatrix (A);
%! tic; x = double (pcg (G, b, 1e-5, 5000)); toc
%! tic; x = double (texla_mg (G, b, 1e-5)); toc
