function r = range (A, varargin)
% range  The largest minus the smallest along a dimension.
%
%   r = range (gpuMatrix ([1 5 3]))
  dim = gpuDim (size (A));
  if ~ isempty (varargin)
    dim = varargin{1};
  end
  r = max (A, [], dim) - min (A, [], dim);
end
%!assert (double (range (gpuMatrix ([1 5 3]))), 4)
