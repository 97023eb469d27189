function y = filter (b, a, x, si, dim)
% filter  y_n = (b_1 x_n + b_2 x_(n-1) + ... - a_2 y_(n-1) - ...) / a_1. Without feedback (a has one entry) on the device; with feedback
% each entry needs the one before, and Octave's own function computes it in double.
%
%   y = filter ([1 1] / 2, 1, gpuMatrix ([1 2 3 4]))
  if nargin < 4
    si = [];
  end
  if nargin < 5
    dim = gpuDim (size (x));
  end
  b = double (b);
  a = double (a);
  if numel (a) > 1 || ~ isempty (si)
    y = gpuMatrix (single (filter (b, a, double (x), double (si), dim)));
    return
  end
  b = b(:) / a;
  x = gpuMatrix (x);
  if dim == 2
    b = b.';
  end
  if isempty (x)
    y = x;
  else
    y = gpuCall ('convolve', {x, gpuMatrix(b), 0, 0, x.size(1), x.size(2)}, 'single');
  end
end
%!test
%! x = [1 2 4 8; 3 1 4 1; 5 9 2 6];
%! assert (double (filter ([1 2 3], 2, gpuMatrix (x))), filter ([1 2 3], 2, x), 1e-5);
%! assert (double (filter ([1 2 3], 2, gpuMatrix (x), [], 2)), filter ([1 2 3], 2, x, [], 2), 1e-5);
%! assert (double (filter (1, [1 -0.5], gpuMatrix (x))), filter (1, [1 -0.5], x), 1e-5);
