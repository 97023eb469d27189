function [X, rcond] = inv (A)
% inv  The inverse of a square matrix, right to single precision. Where A is singular Octave's warning comes when values are waited for;
% X is infinite where a pivot is zero. [X, rcond] = inv (A): also 1 / (norm (A, 1) * norm (X, 1)).
%
%   X = inv (gpuMatrix ([4 1; 1 3]))
  if size (A, 1) ~= size (A, 2)
    error ('texla:nonconformant', 'inverse: A is %d x %d (need a square matrix)', size (A, 1), size (A, 2));
  end
  X = gpuCall ('inverse', {A, 1}, 'single');
  if nargout > 1
    rcond = 1 ./ (norm (A, 1) .* norm (X, 1));
  end
end
%!test
%! a = [4 1; 1 3];
%! assert (double (inv (gpuMatrix (a))), inv (a), 1e-6);
%! assert (norm (double (inv (gpuMatrix (hilb (6)))) - inv (hilb (6))) <= 1e-6 * norm (inv (hilb (6))));
%!warning <singular> double (inv (gpuMatrix (ones (3))));
