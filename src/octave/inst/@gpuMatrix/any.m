function r = any (A, dim)
% any  True where an entry along a dimension is not 0.
%
%   t = any (gpuMatrix ([0 0; 2 0]))
  if nargin < 2
    dim = gpuDim (A.size);
  end
  r = sum (A ~= 0, dim) > 0;
end
