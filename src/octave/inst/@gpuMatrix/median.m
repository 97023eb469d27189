function m = median (A, dim)
% median  The median along a dimension; NaN where there is a NaN.
%
%   m = median (gpuMatrix ([1 5 2]))
  if nargin < 2
    dim = gpuDim (size (A));
  end
  n = size (A, dim);
  S = sort (A, dim);
  part = {':', ':'};
  part{dim} = floor ((n + 1) / 2);
  m = gpuIndex (S, part);
  part{dim} = floor (n / 2) + 1;
  m = (m + gpuIndex (S, part)) / 2;
  part{dim} = n;
  last = gpuIndex (S, part);
  m = gpuCall ('merge', {isnan(last), last, m}, 'single');
end
%!test
%! a = single ([3 1 2 8; 1 NaN 2 5; 2 5 2 1]);
%! assert (single (median (gpuMatrix (a))), median (a));
%! assert (single (median (gpuMatrix (a(:, [1 3 4])), 2)), median (a(:, [1 3 4]), 2));
