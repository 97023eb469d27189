function s = sum (A, varargin)
% sum  Along a dimension, by default the first one that is not 1.
%
%   s = sum (gpuMatrix ([1 2; 3 4]))
  s = gpuReduce ('sum', 0, A, varargin{:});
end
%!assert (double (sum (gpuMatrix ([1 2; 3 4]))), [4 6])
%!assert (double (sum (gpuMatrix ([1 2; 3 4]), 2)), [3; 7])
%!test
%! s = sprandn (300, 200, 0.05);
%! assert (double (sum (gpuMatrix (s))), full (sum (s)), 1e-14);
