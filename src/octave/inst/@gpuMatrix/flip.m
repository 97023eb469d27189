function C = flip (A, dim)
% flip  In reverse order along a dimension, by default the first one that is not 1.
%
%   C = flip (gpuMatrix ([1 2; 3 4]))
  if nargin < 2
    dim = gpuDim (A.size);
  end
  if dim == 1
    C = flipud (A);
  else
    C = fliplr (A);
  end
end
%!assert (double (flip (gpuMatrix ([1 2 3]))), [3 2 1])
