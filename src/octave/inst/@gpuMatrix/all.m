function r = all (A, dim)
% all  True where no entry along a dimension is 0.
%
%   t = all (gpuMatrix ([1 0; 2 3]))
  if nargin < 2
    dim = gpuDim (A.size);
  end
  if A.sparse % whose zeros are not there to be counted
    r = sum (A ~= 0, dim) == size (A, dim);
  else
    r = sum (A == 0, dim) == 0;
  end
end
