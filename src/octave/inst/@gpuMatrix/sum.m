function s = sum (A, dim)
% sum  Along a dimension, by default the first one that is not 1.
  if nargin < 2
    dim = gpuDim (A.size);
  end
  if dim == 1 && all (size (A) == 0) % as Octave has it
    s = gpuMatrix (single (0));
    return
  end
  s = gpuCall ('sum', {A, dim}, 'single');
end
