function A = ones (varargin)
% ones  A matrix on the device: ones (m, n, 'like', A) for a gpuMatrix A.
%
%   A = ones (2, 3, 'like', gpuMatrix (1))
  sizes = varargin(cellfun (@isnumeric, varargin) & ~ cellfun (@(x) isa (x, 'gpuMatrix'), varargin));
  A = gpuNew ('ones', sizes{:});
end
