function A = accumarray (subs, vals, sz, f, fill)
% accumarray  Sums of the values at the same subscripts: A(subs(k, :)) += vals(k), one point for each, which the device adds (in single
% precision, in the order of k). subs is a column or has two columns. Functions other than @sum, @max, @min are taken by Octave's own.
%
%   A = accumarray (gpuMatrix ([1; 2; 1]), [10; 20; 30])
  if nargin < 3
    sz = [];
  end
  if (nargin > 3 && ~ isempty (f) && ~ isequal (func2str (f), 'sum') && ~ isequal (func2str (f), '@sum')) || (nargin > 4 && ~ isequal (fill, 0))
    list = {gather(subs), gather(vals), sz};
    if nargin > 3, list{4} = f; end
    if nargin > 4, list{5} = fill; end
    A = gpuMatrix (accumarray (list{:}));
    return
  end
  subs = gpuMatrix (subs);
  n = size (subs, 1);
  bounds = double (max (subs, [], 1));
  if any (double (min (min (subs, [], 1), [], 2)) < 1) || any (bounds ~= floor (bounds)) || numel (bounds) > 2
    error ('texla:badIndex', 'accumarray: subscripts must be whole numbers from 1 on, in one or two columns');
  end
  if numel (bounds) == 1
    col = gpuMatrix (ones (n, 1));
    bounds(2) = 1;
    row = subs;
  else
    row = gpuIndex (subs, {':', 1});
    col = gpuIndex (subs, {':', 2});
  end
  if isempty (sz)
    sz = bounds;
  end
  if size (subs, 2) == 1 && sz(1) == 1 && sz(2) > 1
    [row, col] = deal (col, row);
    bounds = bounds([2 1]);
  end
  if any (sz(1:2) < bounds)
    error ('texla:indexOutOfBounds', 'accumarray: subscripts up to %d, %d do not fit into %d x %d', bounds(1), bounds(2), sz(1), sz(2));
  end
  if ~ isscalar (vals)
    vals = reshape (gpuMatrix (vals), n, 1);
  end
  A = gpuCall ('accumulate', {row, col, vals, sz(1), sz(2)}, 'single');
end
%!test
%! s = [1 2; 3 1; 1 2; 2 2]; v = [1 2 3 4]';
%! assert (double (accumarray (gpuMatrix (s), v)), accumarray (s, v));
%! assert (double (accumarray (gpuMatrix (s(:, 1)), v, [5 1])), accumarray (s(:, 1), v, [5 1]));
