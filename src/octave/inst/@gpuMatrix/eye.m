function A = eye (varargin)
% eye  A matrix on the device: eye (m, n, 'like', A) for a gpuMatrix A.
%
%   A = eye (2, 3, 'like', gpuMatrix (1))
  A = gpuLike ('eye', varargin);
end
