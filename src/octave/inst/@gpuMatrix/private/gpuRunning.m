function [S, k] = gpuRunning (name, A, dim)
% cummax or cummin along dim (without it: the first one that is not 1), and where each one stands. A position is written down where a new extreme
% comes; the largest position so far is that of the extreme so far.
  if nargin < 3
    dim = gpuDim (A.size);
  end
  S = gpuCall (name, {A, dim}, 'single');
  if nargout > 1
    n = A.size(dim);
    place = reshape (1:n, [n, 1] .^ (dim == 1) .* [1, n] .^ (dim == 2));
    before = {':', ':'};
    before{dim} = [1, 1:n - 1];
    new = (S ~= gpuIndex (S, before)) & ~ isnan (S);
    k = gpuCall ('cummax', {max(new .* place, 1), dim}, 'double');
  end
end
