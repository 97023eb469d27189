function s = trapz (x, y, dim)
% trapz  The integral along a dimension by the trapezoidal rule: trapz (y), trapz (x, y), trapz (x, y, dim).
%
%   s = trapz (gpuMatrix ([1 2 3]))
  if nargin == 1
    y = x;
    x = [];
  end
  if nargin < 3
    dim = gpuDim (size (y));
  end
  n = size (y, dim);
  after = {':', ':'};
  before = after;
  after{dim} = 2:n;
  before{dim} = 1:n - 1;
  y = gpuMatrix (y);
  mean_ = (gpuIndex (y, after) + gpuIndex (y, before)) / 2;
  if isempty (x)
    s = sum (mean_, dim);
    return
  end
  x = gpuMatrix (x);
  if isvector (x)
    x = reshape (x, (n - 1) * (dim == 1) + 1, (n - 1) * (dim == 2) + 1);
  end
  s = sum (mean_ .* (gpuIndex (x, after) - gpuIndex (x, before)), dim);
end
%!assert (double (trapz (gpuMatrix ([1 2; 3 4]))), [2 3])
%!assert (double (trapz ([0 2 3], gpuMatrix ([1 2 4]))), 6, 1e-6)
