function A = NaN (varargin)
% NaN  A matrix on the device: NaN (m, n, 'like', A) for a gpuMatrix A.
%
%   A = NaN (2, 3, 'like', gpuMatrix (1))
  sizes = varargin(cellfun (@isnumeric, varargin) & ~ cellfun (@(x) isa (x, 'gpuMatrix'), varargin));
  A = gpuNew ('zeros', sizes{:}) + NaN;
end
%!assert (double (NaN (2, 3, 'like', gpuMatrix (1))), NaN (2, 3));
