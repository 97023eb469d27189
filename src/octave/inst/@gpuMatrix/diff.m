function D = diff (A, order, dim)
% diff  Differences of neighbours along a dimension, by default the first one that is not 1; order times.
%
%   d = diff (gpuMatrix ([1 4 9]))
  if nargin < 2 || isempty (order)
    order = 1;
  end
  if nargin < 3
    dim = gpuDim (size (A));
  end
  D = A;
  for k = 1:order
    n = size (D, dim);
    after = {':', ':'};
    before = after;
    after{dim} = 2:n;
    before{dim} = 1:n - 1;
    D = gpuIndex (D, after) - gpuIndex (D, before);
  end
end
%!test
%! a = single ([1 2 4; 8 16 33]);
%! assert (single (diff (gpuMatrix (a))), diff (a));
%! assert (single (diff (gpuMatrix (a), 2, 2)), diff (a, 2, 2));
