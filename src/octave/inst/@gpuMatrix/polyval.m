function y = polyval (p, x)
% polyval  The polynomial p(1) x^n + ... + p(n + 1), entry by entry.
%
%   y = polyval ([1 2 3], gpuMatrix ([0 1 2]))
  p = double (p);
  x = gpuMatrix (x);
  y = x * 0;
  if ~ isempty (p)
    y = y + p(1);
  end
  for k = 2:numel (p)
    y = gpuCall ('axpy', {p(k), y, x}, 'single');
  end
end
%!assert (double (polyval ([1 2 3], gpuMatrix ([0 1; 2 3]))), polyval ([1 2 3], [0 1; 2 3]))
