function m = mean (A, dim)
% mean  Along a dimension, by default the first one that is not 1.
%
%   m = mean (gpuMatrix ([1 2; 3 4]))
  if nargin < 2
    dim = gpuDim (A.size);
  end
  m = sum (A, dim) ./ size (A, dim);
end
