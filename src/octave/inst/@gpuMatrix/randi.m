function A = randi (varargin)
% randi  A matrix on the device: randi (..., m, n, 'like', A) for a gpuMatrix A.
%
%   A = randi (6, 2, 3, 'like', gpuMatrix (1))
  sizes = varargin(cellfun (@isnumeric, varargin) & ~ cellfun (@(x) isa (x, 'gpuMatrix'), varargin));
  A = gpuNew ('randi', sizes{:});
end
