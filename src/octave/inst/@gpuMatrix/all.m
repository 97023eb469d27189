function r = all (A, dim)
% all  True where no entry along a dimension is 0.
  if nargin < 2
    dim = gpuDim (A.size);
  end
  r = sum (A == 0, dim) == 0;
end
