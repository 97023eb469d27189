function A = Inf (varargin)
% Inf  A matrix on the device: Inf (m, n, 'like', A) for a gpuMatrix A.
%
%   A = Inf (2, 3, 'like', gpuMatrix (1))
  A = gpuLike ('zeros', varargin) + Inf;
end
%!assert (double (Inf (2, 3, 'like', gpuMatrix (1))), Inf (2, 3));
