function A = randn (varargin)
% randn  A matrix on the device: randn (..., m, n, 'like', A) for a gpuMatrix A.
%
%   A = randn (2, 3, 'like', gpuMatrix (1))
  sizes = varargin(cellfun (@isnumeric, varargin) & ~ cellfun (@(x) isa (x, 'gpuMatrix'), varargin));
  A = gpuNew ('randn', sizes{:});
end
