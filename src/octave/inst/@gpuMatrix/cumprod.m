function S = cumprod (A, dim)
% cumprod  Running products along a dimension, by default the first one that is not 1.
%
%   S = cumprod (gpuMatrix ([1 2 3]))
  if nargin < 2
    dim = gpuDim (A.size);
  end
  S = gpuCall ('cumprod', {A, dim}, 'single');
end
%!test
%! a = single ([1 2 3; 4 5 6]);
%! assert (single (cumprod (gpuMatrix (a))), cumprod (a));
%! assert (single (cumprod (gpuMatrix (a), 2)), cumprod (a, 2));
