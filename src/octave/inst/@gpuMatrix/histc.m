function n = histc (A, edges, dim)
% histc  How many entries lie between edges(k), included, and edges(k + 1), and at the last edge, along a dimension.
%
%   n = histc (gpuMatrix ([1 2 2 5]), 1:5)
  if nargin < 3
    dim = gpuDim (size (A));
  end
  A = gpuMatrix (A);
  count = numel (edges);
  s = A.size;
  last = gpuCall ('select', {gpuMatrix(edges), gpuMatrix(count)}, 'single');
  bin = gpuFloor (edges, A) .* (A <= last);
  line = 1:s(2);
  if dim == 2
    line = (1:s(1))';
  end
  line = bin - bin + line;
  n = gpuCall ('accumulate', {reshape(bin, numel (bin), 1), reshape(line, numel (bin), 1), 1, count, s(3 - dim)}, 'single');
  if dim == 2
    n = n';
  end
end
%!test
%! a = [1 2 2 5 9; 0 3 4 5 NaN];
%! assert (double (histc (gpuMatrix (a), 1:5)), histc (a, 1:5));
%! assert (double (histc (gpuMatrix (a), 1:5, 2)), histc (a, 1:5, 2));
