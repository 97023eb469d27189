function c = conv (a, b, shape)
% conv  The convolution of two vectors: shapes 'full' (default), 'same', 'valid'; the result lies as a does.
%
%   c = conv (gpuMatrix ([1 2 3]), [1 1])
  if nargin < 3
    shape = 'full';
  end
  if ~ (isvector (a) && isvector (b))
    error ('texla:nonconformant', 'conv: both must be vectors, conv2 is for matrices');
  end
  c = conv2 (reshape (gpuMatrix (a), numel (a), 1), reshape (gpuMatrix (b), numel (b), 1), shape);
  if size (a, 1) == 1 && (numel (a) > 1 || size (b, 1) == 1)
    c = c';
  end
end
%!assert (double (conv (gpuMatrix ([1 2 3]), [1 1])), conv ([1 2 3], [1 1]))
%!assert (double (conv (gpuMatrix ([1; 2; 3]), [1 1], 'same')), conv ([1; 2; 3], [1 1], 'same'))
