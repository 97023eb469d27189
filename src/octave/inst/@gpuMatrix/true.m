function A = true (varargin)
% true  A matrix on the device: true (m, n, 'like', A) for a gpuMatrix A.
  sizes = varargin(cellfun (@isnumeric, varargin) & ~ cellfun (@(x) isa (x, 'gpuMatrix'), varargin));
  A = gpuMatrix ('zeros', sizes{:});
  A = gpuCall ('fill', {1, size(A, 1), size(A, 2)}, 'logical');
end
