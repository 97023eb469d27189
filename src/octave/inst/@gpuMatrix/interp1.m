function yi = interp1 (x, y, xi, varargin)
% interp1  Values between points: interp1 (x, y, xi, method, extrapolation); methods 'linear' (default), 'nearest', 'previous', 'next'. x
% ascends; outside of it NaN, or the extrapolated value with 'extrap', or a number.
%
%   yi = interp1 ([1 2 3], gpuMatrix ([10 20 15]), [1.5 2.5])
  if nargin < 3 || ischar (xi)
    error ('texla:unsupported', 'interp1: not available for gpuMatrix without xi, use interp1 (double (x), double (y))');
  end
  method = 'linear';
  outside = NaN;
  for k = 1:numel (varargin)
    o = varargin{k};
    if ischar (o) && strcmp (o, 'extrap')
      outside = [];
    elseif ischar (o)
      method = lower (strrep (o, '*', ''));
    else
      outside = double (o);
    end
  end
  methods = {'linear', 'nearest', 'previous', 'next'};
  which = find (strcmp (method, methods));
  if isempty (which) || ~ isvector (y)
    error ('texla:unsupported', 'interp1: %s of this shape is not available for gpuMatrix, use interp1 (double (x), ...)', method);
  end
  x = gpuMatrix (x);
  y = gpuMatrix (y);
  xi = gpuMatrix (xi);
  n = numel (y);
  k = min (max (gpuFloor (x, xi), 1), n - 1);
  yi = gpuCall ('interpolate', {reshape(x, n, 1), reshape(y, n, 1), xi, k, which}, 'single');
  if ~ isempty (outside)
    first = gpuCall ('select', {x, gpuMatrix(1)}, 'single');
    last = gpuCall ('select', {x, gpuMatrix(n)}, 'single');
    yi = gpuCall ('merge', {(xi >= first) & (xi <= last), yi, outside}, 'single');
  end
end
%!test
%! x = [1 2 4 7]; y = [3 1 2 9]; xi = [0 1 1.5 2 3.9 5 7 8];
%! for m = {'linear', 'nearest', 'previous', 'next'}
%!   e = interp1 (x, y, xi, m{1});
%!   e(isna (e)) = NaN; % Octave's NA
%!   assert (double (interp1 (x, gpuMatrix (y), xi, m{1})), e, 1e-5);
%!   assert (double (interp1 (gpuMatrix (x), y, xi, m{1}, 0)), interp1 (x, y, xi, m{1}, 0), 1e-5);
%! end
%! assert (double (interp1 (x, gpuMatrix (y), xi, 'linear', 'extrap')), interp1 (x, y, xi, 'linear', 'extrap'), 1e-5);
