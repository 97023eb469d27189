function s = prod (A, dim)
% prod  Along a dimension, by default the first one that is not 1.
%
%   p = prod (gpuMatrix ([1 2; 3 4]))
  if nargin < 2
    dim = gpuDim (A.size);
  end
  if dim == 1 && all (size (A) == 0) % as Octave has it
    s = gpuMatrix (single (1));
    return
  end
  kind = 'single';
  if A.sparse
    kind = 'double';
  end
  s = gpuCall ('prod', {A, dim}, kind);
end
