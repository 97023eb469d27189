function [S, k] = cummin (A, varargin)
% cummin  The smallest of the entries up to each one along a dimension, by default the first one that is not 1; NaN does not count.
% [S, k] = cummin (A): where it stands, the first of several.
%
%   S = cummin (gpuMatrix ([3 1 4 1 5]))
  if nargout < 2
    S = gpuRunning ('cummin', A, varargin{:});
  else
    [S, k] = gpuRunning ('cummin', A, varargin{:});
  end
end
%!test
%! a = single ([3 1 4 1 5; 2 7 NaN 8 2; 9 9 1 9 1]);
%! for dim = 1:2
%!   assert (single (cummin (gpuMatrix (a), dim)), cummin (a, dim));
%!   [~, k] = cummin (a([1 3], :), dim); [~, K] = cummin (gpuMatrix (a([1 3], :)), dim);
%!   assert (double (K), k);
%! end
