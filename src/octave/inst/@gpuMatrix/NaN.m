function A = NaN (varargin)
% NaN  A matrix on the device: NaN (m, n, 'like', A) for a gpuMatrix A.
%
%   A = NaN (2, 3, 'like', gpuMatrix (1))
  A = gpuLike ('zeros', varargin) + NaN;
end
%!assert (double (NaN (2, 3, 'like', gpuMatrix (1))), NaN (2, 3));
