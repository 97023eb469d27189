% Shallow water by Octave and the device (Brodtkorb 2007, chapter 5 and listing C.1; linear, on a flat
% ground): the semi-implicit step is a tridiagonal system for each row of water, then one for each
% column. All rows are solved at once, on the device; the same by Octave alone, and what differs
% (his table 5.1). Run it where the toolbox is in the path: octave examples/shallow_water.m
n = 64; steps = 10; g = 9.81; h = 2; dx = 10; dt = 2;
s = g * h * (dt / dx) ^ 2;
[X, Y] = meshgrid (((1:n) - n / 3) / n);
z0 = exp (-80 * (X .^ 2 + Y .^ 2));

% Walls: the systems' first and last rows have one neighbour.
main = (1 + 2 * s) * ones (n, 1); main([1 n]) = 1 + s;
off = -s * ones (n, 1);
T = spdiags ([off main off], -1:1, n, n);
solver = {@(d) T \ d, @(d) double(tridiag (off, main, off, d))};

for k = 1:2
  z = z0; u = zeros (n, n + 1); v = zeros (n + 1, n); % u through the left and right sides of cells, v above and below
  for step = 1:steps
    z = solver{k} ((z - h * dt / dx * diff (u, 1, 2))')';
    u(:, 2:n) = u(:, 2:n) - g * dt / dx * diff (z, 1, 2);
    z = solver{k} (z - h * dt / dx * diff (v, 1, 1));
    v(2:n, :) = v(2:n, :) - g * dt / dx * diff (z, 1, 1);
  end
  result{k} = {z, u, v};
end

printf ('water: %.12f before, %.12f after\n', sum (z0(:)), sum (z(:)));
name = 'zuv';
for k = 1:3
  apart = abs (result{1}{k} - result{2}{k});
  printf ('%s: mean difference %.2e, largest %.2e\n', name(k), mean (apart(:)), max (apart(:)));
  assert (max (apart(:)) < 1e-6);
end
assert (sum (z(:)), sum (z0(:)), 1e-6);
