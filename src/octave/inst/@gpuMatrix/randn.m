function A = randn (varargin)
% randn  A matrix on the device: randn (..., m, n, 'like', A) for a gpuMatrix A.
%
%   A = randn (2, 3, 'like', gpuMatrix (1))
  A = gpuLike ('randn', varargin);
end
