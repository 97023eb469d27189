function m = max (A, B, dim)
% max  max (A), max (A, [], dim) along a dimension; max (A, B) entry by entry.
  if nargin == 2
    m = gpuCall ('max2', {A, B}, 'single');
    return
  end
  if nargin < 3
    dim = gpuDim (size (A));
  end
  if any (size (A) == 0)
    m = gpuMatrix (zeros (0, 0));
    return
  end
  m = gpuCall ('max', {A, dim}, 'single');
end
