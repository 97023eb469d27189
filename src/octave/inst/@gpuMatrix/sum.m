function s = sum (A, dim)
% sum  Along a dimension, by default the first one that is not 1.
%
%   s = sum (gpuMatrix ([1 2; 3 4]))
  if nargin < 2
    dim = gpuDim (A.size);
  end
  if dim == 1 && all (size (A) == 0) % as Octave has it
    s = gpuMatrix (single (0));
    return
  end
  kind = 'single';
  if A.sparse
    kind = 'double';
  end
  s = gpuCall ('sum', {A, dim}, kind);
end
%!assert (double (sum (gpuMatrix ([1 2; 3 4]))), [4 6])
%!assert (double (sum (gpuMatrix ([1 2; 3 4]), 2)), [3; 7])
%!test
%! s = sprandn (300, 200, 0.05);
%! assert (double (sum (gpuMatrix (s))), full (sum (s)), 1e-14);
