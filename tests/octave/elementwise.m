% Element-wise operators and functions, reductions, constructors against Octave's own, over shapes of all kinds.
rand ('twister', 1);
shapes = {[1 1], [1 7], [7 1], [5 3], [4 4], [33 17], [0 3], [3 0], [0 0], [4099 2]};
binary = {@plus, @minus, @times, @rdivide, @ldivide, @power, @lt, @le, @gt, @ge, @eq, @ne, @and, @or, @max, @min, @atan2};
unary = {@uminus, @uplus, @abs, @sign, @sqrt, @exp, @log, @sin, @cos, @tan, @atan, @tanh, @floor, @ceil, @round, @fix, ...
         @isnan, @isinf, @not, @transpose, @ctranspose};
for s = shapes
  x = single (ceil (8 * rand (s{1})) / 2);
  y = single (ceil (8 * rand (s{1})) / 2);
  X = gpuMatrix (x);
  Y = gpuMatrix (y);
  for f = binary
    near (f{1} (X, Y), f{1} (x, y), 1e-5);
    near (f{1} (X, 1.5), f{1} (x, single (1.5)), 1e-5);
    near (f{1} (2, Y), f{1} (single (2), y), 1e-5);
    near (f{1} (X, y), f{1} (x, y), 1e-5);
    near (f{1} (x, Y), f{1} (x, y), 1e-5);
  end
  for f = unary
    near (f{1} (X), f{1} (x), 1e-5);
  end
  for dim = 1:2
    near (sum (X, dim), sum (x, dim));
    near (prod (X / 4, dim), prod (x / 4, dim), 1e-4);
    near (any (X > 2, dim), any (x > 2, dim));
    near (all (X > 1, dim), all (x > 1, dim));
    if all (s{1} > 0)
      near (max (X, [], dim), max (x, [], dim));
      near (min (X, [], dim), min (x, [], dim));
      near (mean (X, dim), mean (x, dim));
    end
  end
  if ! isequal (s{1}, [0 0])
    near (sum (X), sum (x));
    near (prod (X / 4), prod (x / 4), 1e-4);
  end
  assert (isempty (X), isempty (x));
  assert (numel (X), numel (x));
  assert (length (X), length (x));
  assert (isvector (X), isvector (x));
  near (mod (X, 3), mod (x, 3));
  near (X .^ 2, x .^ 2);
  near ((-X) .^ 3, (-x) .^ 3);
  near (2 .^ -X, 2 .^ -x);
end
% broadcasting
r = single (1:5); c = single ((1:3)'); m = single (rand (3, 5));
near (gpuMatrix (r) + c, r + c);
near (gpuMatrix (c) .* m, c .* m);
near (m ./ gpuMatrix (r), m ./ r);
near (gpuMatrix (m) > r, m > r);
% NaN, Inf and doubles that are only kept
w = [NaN 1 Inf -Inf 0];
near (gpuMatrix (w) * 2, w * 2);
near (1 ./ gpuMatrix (w), 1 ./ w);
near (isnan (gpuMatrix (w)), isnan (w));
near (max (gpuMatrix (w)), max (w));
assert (double (gpuMatrix (pi)), pi);
assert (class (gather (gpuMatrix (single (1)))), 'single');
assert (class (gather (gpuMatrix (true))), 'logical');
assert (class (gather (gpuMatrix (1))), 'double');
near (gpuMatrix (int8 ([1 -2 3])) + 1, [2 -1 4]);
% constructors
near (gpuMatrix ('zeros', 3, 4), zeros (3, 4));
near (gpuMatrix ('ones', 3), ones (3));
near (gpuMatrix ('eye', 3, 5), eye (3, 5));
near (gpuMatrix ('linspace', 1, 2, 7), linspace (1, 2, 7));
near (gpuzeros (2, 3), zeros (2, 3));
near (gpueye (4), eye (4));
like = gpuMatrix (1);
near (zeros (2, 3, 'like', like), zeros (2, 3));
near (ones (2, 'like', like), ones (2));
near (eye (2, 'like', like), eye (2));
near (linspace (like, 3, 5), linspace (1, 3, 5));
u = double (gpurand (200, 50));
assert (min (u(:)) > 0 && max (u(:)) < 1 && abs (mean (u(:)) - 0.5) < 0.02 && abs (var (u(:)) - 1/12) < 0.005);
assert (! isequal (u, double (gpurand (200, 50))));
assert (isa (like, 'float') && isa (like, 'numeric') && isa (like, 'gpuMatrix') && ! isa (like, 'double'));
assert (isnumeric (like) && isreal (like) && isfloat (like) && ! islogical (like) && islogical (like > 0));
