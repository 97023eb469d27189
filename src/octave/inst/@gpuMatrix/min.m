function m = min (A, B, dim)
% min  min (A), min (A, [], dim) along a dimension; min (A, B) entry by entry.
  if nargin == 2
    m = gpuCall ('min2', {A, B}, 'single');
    return
  end
  if nargin < 3
    dim = gpuDim (size (A));
  end
  if any (size (A) == 0)
    m = gpuMatrix (zeros (0, 0));
    return
  end
  m = gpuCall ('min', {A, dim}, 'single');
end
