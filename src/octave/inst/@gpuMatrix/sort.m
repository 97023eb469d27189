function [S, k] = sort (A, varargin)
% sort  sort (A, dim, 'descend'): entries in order along a dimension, equal ones as they stood, NaN as the largest. [S, k]: where
% they stood.
%
%   [S, k] = sort (gpuMatrix ([3 1 2]), 'descend')
  dim = gpuDim (size (A));
  descending = 0;
  for n = 1:numel (varargin)
    if ischar (varargin{n})
      descending = double (strcmpi (varargin{n}, 'descend'));
    else
      dim = double (varargin{n});
    end
  end
  if nargout < 2
    S = gpuCall ('sort', {A, dim, descending}, A.class);
  else
    [S, k] = gpuCall ('sort', {A, dim, descending}, A.class);
  end
end
%!test
%! a = single ([3 1 2; 1 NaN 2; 2 5 2]);
%! for dim = 1:2
%!   [s, k] = sort (a, dim);
%!   [S, K] = sort (gpuMatrix (a), dim);
%!   assert (single (S), s); assert (double (K), k);
%!   [s, k] = sort (a, dim, 'descend');
%!   [S, K] = sort (gpuMatrix (a), dim, 'descend');
%!   assert (single (S), s); assert (double (K), k);
%! end
