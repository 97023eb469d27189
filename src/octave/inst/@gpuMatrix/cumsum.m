function S = cumsum (A, dim)
% cumsum  Running sums along a dimension, by default the first one that is not 1.
%
%   S = cumsum (gpuMatrix ([1 2 3]))
  if nargin < 2
    dim = gpuDim (A.size);
  end
  S = gpuCall ('cumsum', {A, dim}, 'single');
end
%!test
%! a = single ([1 2 3; 4 5 6]);
%! assert (single (cumsum (gpuMatrix (a))), cumsum (a));
%! assert (single (cumsum (gpuMatrix (a), 2)), cumsum (a, 2));
