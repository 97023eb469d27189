function A = zeros (varargin)
% zeros  A matrix on the device: zeros (m, n, 'like', A) for a gpuMatrix A.
%
%   A = zeros (2, 3, 'like', gpuMatrix (1))
  sizes = varargin(cellfun (@isnumeric, varargin) & ~ cellfun (@(x) isa (x, 'gpuMatrix'), varargin));
  A = gpuNew ('zeros', sizes{:});
end
