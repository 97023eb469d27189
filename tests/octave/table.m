% Every function that works entry by entry or along a dimension, against Octave's own of the same single values in double, on random shapes
% and special values; within units in the last place where the function is elementary, else relative to the largest sum. Prints counts.
rand ('twister', 11);
warning ('off', 'all', 'local');
special = single ([0, 1, -1, 0.5, 2, 3, 33, -33, 1e-3, 1e-10, 1e-30, 1e10, 1e20, 1e30, 3e38, -2e37, pi, 710, 1e5, Inf, -Inf, NaN, 88, -4, ...
                   -2.5, 35, 0.9999, 1.5707964]);
shapes = {[1 1], [1 7], [7 1], [5 4], [33 2], [0 3], [3 0], [0 0]};
one = {'sin', 4; 'cos', 4; 'tan', 4; 'atan', 4; 'asin', 4; 'acos', 4; 'exp', 4; 'expm1', 4; 'log', 4; 'log1p', 4; 'log2', 4; 'log10', 4; ...
       'sinh', 4; 'cosh', 4; 'tanh', 4; 'asinh', 4; 'acosh', 4; 'atanh', 4; 'erf', 4; 'erfc', 8; 'gamma', 16; 'sqrt', 4; 'abs', 0; 'sign', 0; ...
       'floor', 0; 'ceil', 0; 'round', 0; 'fix', 0; 'isnan', 0; 'isinf', 0; 'isfinite', 0; 'uminus', 0};
two = {'plus', 1; 'minus', 1; 'times', 1; 'rdivide', 1; 'hypot', 4; 'atan2', 4; 'mod', 1; 'rem', 1; 'lt', 0; 'le', 0; 'gt', 0; 'ge', 0; ...
       'eq', 0; 'ne', 0; 'max', 0; 'min', 0};
along = {'sum', 0; 'prod', 0; 'cumsum', 0; 'cumprod', 0; 'max', 0; 'min', 0; 'cummax', 0; 'cummin', 0; 'sort', 0; 'mean', 0; 'median', 0; ...
         'any', 0; 'all', 0; 'diff', 0; 'sumsq', 0; 'var', 0; 'std', 0; 'mode', 0};
tried = compared = 0;
for s = shapes
  n = prod (s{1});
  x = reshape ([special(randperm (min (n, numel (special)))), single(40 * rand (1, max (n - numel (special), 0)) - 20)], s{1});
  y = single (reshape ([special(randperm (min (n, numel (special)))), 8 * rand(1, max (n - numel (special), 0)) - 4], s{1}));
  for k = 1:rows (one) + rows (two)
    if k <= rows (one)
      f = one{k, 1}; ulps = one{k, 2};
      g = double (feval (f, gpuMatrix (x)));
      e = feval (f, double (x));
    else
      f = two{k - rows(one), 1}; ulps = two{k - rows(one), 2};
      g = double (feval (f, gpuMatrix (x), y));
      e = feval (f, double (x), double (y));
      if any (strcmp (f, {'mod', 'rem'})) % whose quotients Octave rounds
        e = double (feval (f, x, y));
      end
    end
    e = double (e);
    e(imag (e) ~= 0) = NaN;
    e = double (single (real (e)));
    e(abs (e) < 1.2e-38) = 0;
    g(abs (g) < 1.2e-38) = 0;
    limit = ulps * double (eps (single (abs (e)))) + 2e-38;
    good = (abs (g - e) <= limit) | (isnan (g) & isnan (e)) | g == e;
    tried++;
    compared += numel (e);
    if ~ isequal (size (g), size (e)) || ~ all (good(:))
      error ('%s of %d x %d: %s is not %s, x = %s', f, s{1}, mat2str (g(~ good)(:)'), mat2str (e(~ good)(:)'), mat2str (x(~ good)(:)', 9));
    end
  end
  if n == 0
    continue
  end
  z = single (round (rand (s{1}) * 9)) / 4;
  for k = 1:rows (along)
    f = along{k, 1};
    for dim = 1:2
      switch f
        case {'max', 'min'}
          list = {[], dim};
        case {'diff', 'var', 'std'}
          list = {[], dim};
        otherwise
          list = {dim};
      end
      if strcmp (f, 'diff')
        list = {1, dim};
      end
      near (feval (f, gpuMatrix (z), list{:}), feval (f, z, list{:}), 1e-5);
      tried++;
      compared += numel (z);
    end
  end
end
printf ('%d calls, %d entries compared\n', tried, compared);
