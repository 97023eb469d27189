function C = circshift (A, n, dim)
% circshift  Entries move n places along a dimension, and those that leave it come back at its other end.
%
%   C = circshift (gpuMatrix ([1 2 3]), 1, 2)
  if nargin < 3
    dim = gpuDim (A.size);
  end
  part = {':', ':'};
  part{dim} = mod ((0:A.size(dim) - 1) - n, A.size(dim)) + 1;
  C = gpuIndex (A, part);
end
%!test
%! a = magic (4);
%! assert (double (circshift (gpuMatrix (a), 1)), circshift (a, 1));
%! assert (double (circshift (gpuMatrix (a), -3, 2)), circshift (a, -3, 2));
