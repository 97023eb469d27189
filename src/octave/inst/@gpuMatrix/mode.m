function m = mode (A, dim)
% mode  The value that is most frequent along a dimension, the smallest of several.
%
%   m = mode (gpuMatrix ([1 2 2 3]))
  if nargin < 2
    dim = gpuDim (size (A));
  end
  S = sort (A, dim);
  n = size (A, dim);
  if n == 0
    m = gpuMatrix (NaN (max (size (A) .^ ((1:2) ~= dim), 1)));
    return
  end
  before = {':', ':'};
  before{dim} = [1, 1:n - 1];
  place = reshape (1:n, (n - 1) * (dim == 1) + 1, (n - 1) * (dim == 2) + 1);
  first = gpuCall ('cummax', {max((S ~= gpuIndex (S, before)) .* place, 1), dim}, 'single');
  [~, k] = max (place - first, [], dim); % the end of the longest run
  if dim == 1
    m = gpuCall ('select', {S, k + (0:size (A, 2) - 1) * n}, A.class);
  else
    m = gpuCall ('select', {S, (k - 1) * size(A, 1) + (1:size (A, 1))'}, A.class);
  end
end
%!test
%! a = [1 2 2 3; 4 4 1 1; 1 5 5 5];
%! assert (double (mode (gpuMatrix (a))), mode (a));
%! assert (double (mode (gpuMatrix (a), 2)), mode (a, 2));
