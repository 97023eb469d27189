function A = eye (varargin)
% eye  A matrix on the device: eye (m, n, 'like', A) for a gpuMatrix A.
  sizes = varargin(cellfun (@isnumeric, varargin) & ~ cellfun (@(x) isa (x, 'gpuMatrix'), varargin));
  A = gpuNew ('eye', sizes{:});
end
