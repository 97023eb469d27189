function A = false (varargin)
% false  A matrix on the device: false (m, n, 'like', A) for a gpuMatrix A.
%
%   A = false (2, 3, 'like', gpuMatrix (1))
  A = gpuLike ('zeros', varargin);
  A = gpuCall ('fill', {0, size(A, 1), size(A, 2)}, 'logical');
end
