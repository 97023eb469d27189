function A = ones (varargin)
% ones  A matrix on the device: ones (m, n, 'like', A) for a gpuMatrix A.
%
%   A = ones (2, 3, 'like', gpuMatrix (1))
  A = gpuLike ('ones', varargin);
end
