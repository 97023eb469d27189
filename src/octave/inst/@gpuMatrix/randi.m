function A = randi (varargin)
% randi  A matrix on the device: randi (..., m, n, 'like', A) for a gpuMatrix A.
%
%   A = randi (6, 2, 3, 'like', gpuMatrix (1))
  A = gpuLike ('randi', varargin);
end
