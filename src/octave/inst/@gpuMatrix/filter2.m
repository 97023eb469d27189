function C = filter2 (b, A, shape)
% filter2  The two-dimensional filter b over A, conv2 with b turned around: shapes 'same' (default), 'full', 'valid'.
%
%   C = filter2 (ones (3) / 9, gpuMatrix (magic (5)))
  if nargin < 3
    shape = 'same';
  end
  C = conv2 (gpuMatrix (A), rot90 (gpuMatrix (b), 2), shape);
end
%!assert (double (filter2 ([1 2; 3 4], gpuMatrix (magic (4)))), filter2 ([1 2; 3 4], magic (4)), 1e-4)
