function A = rand (varargin)
% rand  A matrix on the device: rand (m, n, 'like', A) for a gpuMatrix A.
%
%   A = rand (2, 3, 'like', gpuMatrix (1))
  sizes = varargin(cellfun (@isnumeric, varargin) & ~ cellfun (@(x) isa (x, 'gpuMatrix'), varargin));
  A = gpuNew ('rand', sizes{:});
end
