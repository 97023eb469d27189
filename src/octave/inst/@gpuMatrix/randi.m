function A = randi (varargin)
% randi  A matrix on the device: randi (..., m, n, 'like', A) for a gpuMatrix A.
  sizes = varargin(cellfun (@isnumeric, varargin) & ~ cellfun (@(x) isa (x, 'gpuMatrix'), varargin));
  A = gpuNew ('randi', sizes{:});
end
