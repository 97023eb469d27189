function [Q, R, P] = qr (A, how)
% qr  [Q, R] = qr (A): A = Q R. [Q, R, P] = qr (A): A P = Q R with column pivoting. [Q, R, p] = qr (A, 0): the economic size, and p a
% vector with A(:, p) = Q R; qr (A, 'econ') is the same with a matrix P. R = qr (A) is R alone.
%
%   [Q, R] = qr (gpuMatrix ([1 2; 3 4; 5 6]), 0)
  economic = nargin > 1 && ~ isempty (how);
  [Q, R, p] = gpuCall ('qr', {A, double(nargout > 2), double(economic)}, 'single');
  if nargout < 2
    Q = R;
  elseif nargout > 2 && economic && ~ ischar (how)
    P = p;
  elseif nargout > 2
    P = gpuIndex (gpuMatrix ('eye', size (A, 2)), {':', p});
  end
end
%!test
%! a = single ([1 2; 3 4; 5 7]);
%! [Q, R] = qr (gpuMatrix (a));
%! assert (size (Q), [3 3]);
%! assert (double (Q * R), double (a), 1e-5);
%! [Q, R, P] = qr (gpuMatrix (a), 'econ');
%! assert (size (Q), [3 2]);
%! assert (double (Q * R), double (gpuMatrix (a) * P), 1e-5);
