function A = rand (varargin)
% rand  A matrix on the device: rand (m, n, 'like', A) for a gpuMatrix A.
%
%   A = rand (2, 3, 'like', gpuMatrix (1))
  A = gpuLike ('rand', varargin);
end
