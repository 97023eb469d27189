function [S, k] = cummax (A, varargin)
% cummax  The largest of the entries up to each one along a dimension, by default the first one that is not 1; NaN does not count.
% [S, k] = cummax (A): where it stands, the first of several.
%
%   S = cummax (gpuMatrix ([3 1 4 1 5]))
  if nargout < 2
    S = gpuRunning ('cummax', A, varargin{:});
  else
    [S, k] = gpuRunning ('cummax', A, varargin{:});
  end
end
%!test
%! a = single ([3 1 4 1 5; 2 7 NaN 8 2; 9 9 1 9 1]);
%! for dim = 1:2
%!   assert (single (cummax (gpuMatrix (a), dim)), cummax (a, dim));
%!   [~, k] = cummax (a([1 3], :), dim); [~, K] = cummax (gpuMatrix (a([1 3], :)), dim);
%!   assert (double (K), k);
%! end
