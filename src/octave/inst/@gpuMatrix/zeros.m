function A = zeros (varargin)
% zeros  A matrix on the device: zeros (m, n, 'like', A) for a gpuMatrix A.
%
%   A = zeros (2, 3, 'like', gpuMatrix (1))
  A = gpuLike ('zeros', varargin);
end
