function X = tridiag (a, b, c, D, how)
% tridiag  Solves many tridiagonal systems at once, on the device.
%
% X = tridiag (a, b, c, D)
%
% Each column of D is the right-hand side of a system a(i) x(i-1) + b(i) x(i) + c(i) x(i+1) = d(i). The diagonals a, b and c are
% matrices of the size of D, columns that hold for all systems, or numbers; a(1) and c(end) are not used. To double accuracy where
% all of them are doubles. X = tridiag (a, b, c, D, 'periodic') couples x(1) to x(end) by a(1) and x(end) to x(1) by c(end).
% Returns at once, a gpuMatrix.
%
%   X = tridiag (-1, 4, -1, ones (5, 3))
  if nargin < 5
    how = '';
  end
  X = tridiag (a, b, c, gpuMatrix (D), how);
end
%!test
%! n = 9; D = rand (n, 4); T = diag (4 * ones (n, 1)) - diag (ones (n - 1, 1), -1) - 2 * diag (ones (n - 1, 1), 1);
%! assert (double (tridiag (-1, 4, -2, D)), T \ D, 1e-13);
%! assert (double (tridiag (-ones (n, 1), 4, -2 * ones (n, 4), D)), T \ D, 1e-13);
%! T(1, n) = -1; T(n, 1) = -2;
%! assert (double (tridiag (-1, 4, -2, D, 'periodic')), T \ D, 1e-13);
%!demo
%! % heat in 1000 rods of 200 cells each, one implicit step for all of them
%! D = rand (200, 1000);
%! X = tridiag (-1, 3, -1, D);
%! max (max (abs (double (X))))
