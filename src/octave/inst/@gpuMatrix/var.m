function v = var (A, how, dim)
% var  The variance along a dimension: divided by n - 1, or with how = 1 by n.
%
%   v = var (gpuMatrix ([1 2; 3 5]))
  if nargin < 2 || isempty (how)
    how = 0;
  end
  if nargin < 3
    dim = gpuDim (size (A));
  end
  n = size (A, dim);
  D = A - mean (A, dim);
  v = sum (D .* D, dim) / max (n - 1 + (how == 1), 1);
end
%!test
%! a = single ([1 2 4; 3 9 5]);
%! assert (single (var (gpuMatrix (a))), var (a), 1e-5);
%! assert (single (var (gpuMatrix (a), 1, 2)), var (a, 1, 2), 1e-5);
