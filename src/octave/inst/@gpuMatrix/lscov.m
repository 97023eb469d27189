function [x, stdx, mse, S] = lscov (A, b, V)
% lscov  x = lscov (A, b, V): the x that makes (b - A x)' inv (C) (b - A x) least, to double accuracy for double input. V is a vector
% of weights, C = diag (1 ./ V), or C itself, symmetric positive definite; without V all weights are 1. Further outputs, which wait and
% are computed by Octave: standard errors of x, the mean squared error, the estimated covariance of x.
%
%   x = lscov (gpuMatrix ([1 0; 1 1; 1 2]), [1; 2; 4], [1; 1; 2])
  if nargin < 3 || isempty (V)
    V = ones (size (A, 1), 1);
  end
  if ~ isvector (V)
    L = chol (double (V), 'lower');
    A = gpuMatrix (L \ double (A));
    b = gpuMatrix (L \ double (b));
    V = ones (size (A, 1), 1);
  end
  x = gpuCall ('least_squares', {gpuMatrix(A), gpuMatrix(b), gpuMatrix(V)}, 'double');
  if nargout > 1
    a = double (A);
    w = double (V);
    r = double (b) - a * double (x);
    mse = sum (bsxfun (@times, w(:), r .^ 2), 1) / (size (a, 1) - size (a, 2));
    N = inv (a' * bsxfun (@times, w(:), a));
    S = N * mse(1);
    stdx = sqrt (diag (N) * mse);
  end
end
%!test
%! a = [1 0; 1 1; 1 2; 1 4]; b = [1; 3; 2; 6]; w = [1; 2; 1; 3];
%! [x, s, m, C] = lscov (a, b, w);
%! [X, S, M, D] = lscov (gpuMatrix (a), b, w);
%! assert (double (X), x, 1e-12);
%! assert (S, s, 1e-10);
%! assert (M, m, 1e-10);
%! assert (D, C, 1e-10);
%! v = [2 1 0 0; 1 2 0 0; 0 0 1 0; 0 0 0 4];
%! assert (double (lscov (gpuMatrix (a), b, v)), lscov (a, b, v), 1e-12);
