function zi = interp2 (varargin)
% interp2  Bilinear values between the points of a grid: interp2 (z, xi, yi), interp2 (x, y, z, xi, yi), and a method 'linear' (default) or
% 'nearest', and a value outside (NA). The filter of the device has 8 bits for a weight; this one has all of single precision.
%
%   zi = interp2 (gpuMatrix (magic (4)), 1.5, 2.5)
  method = 'linear';
  outside = NaN;
  list = varargin;
  for k = numel (list):-1:1
    if ischar (list{k})
      method = list{k};
      if k < numel (list)
        outside = list{k + 1};
      end
      list = list(1:k - 1);
    end
  end
  if numel (list) == 3
    z = gpuMatrix (list{1});
    xi = gpuMatrix (list{2});
    yi = gpuMatrix (list{3});
  elseif numel (list) == 5
    z = gpuMatrix (list{3});
    xi = places (list{1}, list{4}, size (z, 2), 2);
    yi = places (list{2}, list{5}, size (z, 1), 1);
  else
    error ('texla:unsupported', 'interp2: not available for gpuMatrix in this case, use interp2 (double (z), ...)');
  end
  which = find (strcmp (method, {'linear', 'nearest'}));
  if isempty (which)
    error ('texla:unsupported', 'interp2: %s is not available for gpuMatrix, use interp2 (double (z), ...)', method);
  end
  if isvector (xi) && isvector (yi) && isrow (xi) && iscolumn (yi) && ~ (isscalar (xi) && isscalar (yi))
    [xi, yi] = deal (xi + yi * 0, yi + xi * 0);
  end
  zi = gpuCall ('bilinear', {z, xi, yi, which, outside}, 'single');
end

function at = places (x, xi, n, dim)
% Positions, counted from 1, of xi in an ascending axis, which may be given as a grid.
  x = gather (x);
  if ~ isvector (x)
    if dim == 2
      x = x(1, :);
    else
      x = x(:, 1);
    end
  end
  at = interp1 (x(:), gpuMatrix ((1:n)'), xi);
end
%!test
%! z = magic (5); [x, y] = meshgrid (1:0.4:5, 1:0.7:5);
%! assert (double (interp2 (gpuMatrix (z), x, y)), interp2 (z, x, y), 1e-5);
%! assert (double (interp2 (2:2:10, 0:4, gpuMatrix (z), 2 * x, y - 1)), interp2 (2:2:10, 0:4, z, 2 * x, y - 1), 1e-4);
