% Indexing, assignment, concatenation and what rearranges entries, against Octave's own.
rand ('twister', 2);
for s = {[5 7], [1 9], [9 1], [1 1], [6 6], [130 33]}
  x = single (reshape (randperm (prod (s{1})), s{1}));
  X = gpuMatrix (x);
  [m, n] = size (x);
  i = randi (m, 1, 4); j = randi (n, 1, 3); k = randi (m * n, 3, 2);
  near (X(i, j), x(i, j));
  near (X(i, :), x(i, :));
  near (X(:, j), x(:, j));
  near (X(:), x(:));
  near (X(:, :), x(:, :));
  near (X(k), x(k));
  near (X(k(:, 1)), x(k(:, 1)));
  near (X(end), x(end));
  near (X(end, 1), x(end, 1));
  near (X(1:end, end:-1:1), x(1:end, end:-1:1));
  near (X(x > 5), x(x > 5));
  near (X(X > 5), x(x > 5));
  near (X(gpuMatrix (i), 1), x(i, 1));
  near (X([], 1), x([], 1));
  near (X(i, j)(end), x(i, j)(end));
  y = x; Y = X;
  y(i(1), j(1)) = -1; Y(i(1), j(1)) = -1; near (Y, y);
  y(:, j(1)) = -2; Y(:, j(1)) = -2; near (Y, y);
  y(i(1), :) = 1:n; Y(i(1), :) = 1:n; near (Y, y);
  b = rand (numel (unique (i)), numel (unique (j)));
  y(unique (i), unique (j)) = b; Y(unique (i), unique (j)) = gpuMatrix (b); near (Y, y);
  y(y > 3) = 0; Y(Y > 3) = 0; near (Y, y);
  y(k(:, 1)) = 5:7; Y(k(:, 1)) = gpuMatrix (5:7); near (Y, y);
  y(m + 2, n + 1) = 9; Y(m + 2, n + 1) = 9; near (Y, y);
  y(:, 1) = []; Y(:, 1) = []; near (Y, y);
  y(end, :) = []; Y(end, :) = []; near (Y, y);
  y(:) = 4; Y(:) = 4; near (Y, y);
  near (X, x); % the copy is another matrix
  near ([X, X], [x, x]);
  near ([X; x; X], [x; x; x]);
  near ([x, X, ones(m, 2)], [x, x, ones(m, 2)]);
  near ([X, []], x);
  near (cat (1, X, X), cat (1, x, x));
  near (cat (2, X, x), cat (2, x, x));
  near (repmat (X, 2, 3), repmat (x, 2, 3));
  near (repmat (X, 2), repmat (x, 2));
  near (reshape (X, n, m), reshape (x, n, m));
  near (reshape (X, [], 1), reshape (x, [], 1));
  near (X', x');
  for k = -2:2
    near (tril (X, k), tril (x, k));
    near (triu (X, k), triu (x, k));
    if all (s{1} > 1) || all (s{1} == 1)
      near (diag (X, k), diag (x, k));
    else
      near (diag (X(1:min (end, 9)), k), diag (x(1:min (end, 9)), k));
    end
  end
  z = single (rand (2, 3));
  near (kron (X(1:min (end, 20)), gpuMatrix (z)), kron (x(1:min (end, 20)), z));
end
v = gpuMatrix ([]); w = [];
v(3) = 1; w(3) = 1; near (v, w);
w = 1:3; w(5) = 2; v = gpuMatrix (1:3); v(5) = 2; near (v, w);
w(2) = []; v(2) = []; near (v, w);
x = 10:10:50; assert (x(gpuMatrix ([1 3])), [10 30]); % as an index of an ordinary matrix
assert (size (gpuMatrix (zeros (3, 0))), [3 0]);
[m, n] = size (gpuMatrix (zeros (3, 2))); assert ([m n], [3 2]);
assert (size (gpuMatrix (zeros (3, 2)), 1), 3);
a = evalc ('gpuMatrix ([1 2; 3 4])');
assert (! isempty (strfind (a, 'gpuMatrix, 2 x 2')) && ! isempty (strfind (a, '3   4')));
a = evalc ('disp (gpuMatrix (rand (300, 200)))');
assert (! isempty (strfind (a, 'the first 8 x 8 of 300 x 200')) && numel (a) < 2000);
