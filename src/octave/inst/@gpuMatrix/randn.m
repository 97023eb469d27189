function A = randn (varargin)
% randn  A matrix on the device: randn (..., m, n, 'like', A) for a gpuMatrix A.
  sizes = varargin(cellfun (@isnumeric, varargin) & ~ cellfun (@(x) isa (x, 'gpuMatrix'), varargin));
  A = gpuNew ('randn', sizes{:});
end
