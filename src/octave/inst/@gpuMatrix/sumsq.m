function s = sumsq (A, dim)
% sumsq  Sums of squares along a dimension.
%
%   s = sumsq (gpuMatrix ([1 2; 3 4]))
  if nargin < 2
    dim = gpuDim (A.size);
  end
  s = sum (A .* A, dim);
end
%!assert (double (sumsq (gpuMatrix ([1 2; 3 4]))), [10 20])
