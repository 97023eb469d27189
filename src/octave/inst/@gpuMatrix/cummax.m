function [S, k] = cummax (A, dim)
% cummax  The largest of the entries up to each one along a dimension, by default the first one that is not 1; NaN does not count.
% [S, k] = cummax (A): where it stands, the first of several.
%
%   S = cummax (gpuMatrix ([3 1 4 1 5]))
  if nargin < 2
    dim = gpuDim (A.size);
  end
  S = gpuCall ('cummax', {A, dim}, 'single');
  if nargout > 1 % where a new one comes, its position, the largest of which holds
    n = A.size(dim);
    place = reshape (1:n, [n, 1] .^ (dim == 1) .* [1, n] .^ (dim == 2));
    before = {':', ':'};
    before{dim} = [1, 1:n - 1];
    new = (S ~= gpuIndex (S, before)) & ~ isnan (S);
    k = gpuCall ('cummax', {max(new .* place, 1), dim}, 'double');
  end
end
%!test
%! a = single ([3 1 4 1 5; 2 7 NaN 8 2; 9 9 1 9 1]);
%! for dim = 1:2
%!   assert (single (cummax (gpuMatrix (a), dim)), cummax (a, dim));
%!   [~, k] = cummax (a([1 3], :), dim); [~, K] = cummax (gpuMatrix (a([1 3], :)), dim);
%!   assert (double (K), k);
%! end
