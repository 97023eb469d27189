function [m, k] = max (A, B, dim)
% max  max (A), max (A, [], dim) along a dimension; max (A, B) entry by entry. [m, k] = max (A): where the first of the largest stands.
%
%   [m, k] = max (gpuMatrix ([3 1; 2 5]))
  if nargin == 2
    m = gpuCall ('max2', {A, B}, 'single');
    return
  end
  if nargin < 3
    dim = gpuDim (size (A));
  end
  if nargout < 2
    m = gpuExtreme ('max', A, dim);
  else
    [m, k] = gpuExtreme ('max', A, dim);
  end
end
%!test
%! a = single ([3 NaN 2; 1 7 2; 3 5 9]);
%! for dim = 1:2
%!   [m, k] = max (a, [], dim);
%!   [M, K] = max (gpuMatrix (a), [], dim);
%!   assert (single (M), m); assert (double (K), k);
%! end
%! assert (single (max (gpuMatrix (a), 3)), max (a, 3));
