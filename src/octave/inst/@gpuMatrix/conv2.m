function C = conv2 (A, B, varargin)
% conv2  The two-dimensional convolution: shapes 'full' (default), 'same', 'valid'. conv2 (v, h, A): columns by v, rows by h.
%
%   C = conv2 (gpuMatrix (magic (4)), ones (2) / 4, 'same')
  shape = 'full';
  if ~ isempty (varargin) && ischar (varargin{end})
    shape = varargin{end};
    varargin(end) = [];
  end
  if ~ isempty (varargin)
    C = conv2 (conv2 (gpuMatrix (varargin{1}), reshape (A, numel (A), 1), shape), reshape (B, 1, numel (B)), shape);
    return
  end
  A = gpuMatrix (A);
  B = gpuMatrix (B);
  a = A.size;
  b = B.size;
  switch shape
    case 'full'
      first = [0, 0];
      s = max (a + b - 1, 0);
    case 'same'
      first = ceil ((b - 1) / 2);
      s = a;
    case 'valid'
      first = b - 1;
      s = max (a - b + 1, 0);
    otherwise
      error ('texla:badArgument', 'conv2: there is no shape %s; full, same, valid', shape);
  end
  if any ([a, b, s] == 0)
    C = gpuMatrix ('zeros', s);
  else
    C = gpuCall ('convolve', {A, B, first(1), first(2), s(1), s(2)}, 'single');
  end
end
%!test
%! a = magic (5)(:, 1:4); b = [1 2 0; 3 -1 5];
%! for s = {'full', 'same', 'valid'}
%!   assert (double (conv2 (gpuMatrix (a), b, s{1})), conv2 (a, b, s{1}), 1e-4);
%! end
%! assert (double (conv2 ([1 2], [1 0 1], gpuMatrix (a))), conv2 ([1 2], [1 0 1], a), 1e-4);
