function [m, k] = min (A, B, dim)
% min  min (A), min (A, [], dim) along a dimension; min (A, B) entry by entry. [m, k] = min (A): where the first of the smallest stands.
%
%   [m, k] = min (gpuMatrix ([3 1; 2 5]))
  if nargin == 2
    m = gpuCall ('min2', {A, B}, 'single');
    return
  end
  if nargin < 3
    dim = gpuDim (size (A));
  end
  if nargout < 2
    m = gpuExtreme ('min', A, dim);
  else
    [m, k] = gpuExtreme ('min', A, dim);
  end
end
%!test
%! a = single ([3 NaN 2; 1 7 2; 3 5 9]);
%! for dim = 1:2
%!   [m, k] = min (a, [], dim);
%!   [M, K] = min (gpuMatrix (a), [], dim);
%!   assert (single (M), m); assert (double (K), k);
%! end
%! assert (single (min (gpuMatrix (a), 3)), min (a, 3));
