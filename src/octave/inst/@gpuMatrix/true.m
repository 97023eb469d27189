function A = true (varargin)
% true  A matrix on the device: true (m, n, 'like', A) for a gpuMatrix A.
%
%   A = true (2, 3, 'like', gpuMatrix (1))
  A = gpuLike ('zeros', varargin);
  A = gpuCall ('fill', {1, size(A, 1), size(A, 2)}, 'logical');
end
