function [R, p] = chol (A, how)
% chol  R = chol (A): the upper triangular R with A = R' R, of a symmetric positive definite A, of which only the upper triangle
% is read. L = chol (A, 'lower'): A = L L', from the lower triangle. [R, p] = chol (A): p is 0, or A is not positive definite and R
% is the factor of its first p - 1 rows and columns (waits for p).
%
%   R = chol (gpuMatrix ([4 2; 2 3]))
  if nargin < 2
    how = 'upper';
  end
  lower = double (strcmpi (how, 'lower'));
  if nargout < 2
    R = gpuCall ('cholesky', {A, lower}, 'single');
    return
  end
  [R, p] = gpuCall ('cholesky', {A, lower}, 'single');
  p = double (p);
  if p > 0
    k = 1:p - 1;
    R = gpuMatrix (zeros (p - 1));
    if p > 1
      R = gpuCall ('cholesky', {gpuIndex(A, {k, k}), lower}, 'single');
    end
  end
end
%!test
%! a = single ([4 1 0; 1 5 2; 0 2 6]);
%! A = gpuMatrix (a);
%! assert (double (chol (A)), chol (double (a)), 1e-5);
%! assert (double (chol (A, 'lower')), chol (double (a), 'lower'), 1e-5);
%! [R, p] = chol (gpuMatrix ([4 1 0; 1 5 2; 0 2 -6]));
%! assert (p, 3);
%! assert (double (R), chol ([4 1; 1 5]), 1e-5);
%!error <cholesky> double (chol (gpuMatrix (-eye (3))))
