% The random systems of queue/doors through A \ b: the same verdicts, a warning for those that are singular.
1; % a script
file = tempname ();
program = fullfile (getenv ('BINARY'), 'tests', 'test_queue');
[status, text] = system (sprintf ('TEXLA_DOORS_FILE=%s %s doors', file, program));
assert (status, 0);
f = fopen (file);
number = 0;
while true
  head = fscanf (f, '%d', 4);
  if numel (head) < 4
    break
  end
  m = head(2); n = head(3);
  A = fscanf (f, '%f', [m, n]); b = fscanf (f, '%f', m); y = fscanf (f, '%f', n);
  if head(4)
    A = sparse (A);
  end
  lastwarn ('');
  x = double (gpuMatrix (A) \ b);
  singular = any (head(1) == [6 7]);
  assert (isempty (lastwarn ()), ! singular);
  r = b - A * x;
  least = norm (A' * r) <= 1e-12 * norm (A, 'fro') * max (norm (r), norm (b));
  exact = all (abs (r) <= 12 * eps * (abs (A) * abs (x) + abs (b)));
  if ! (exact || (least && (singular || m != n))) || abs (norm (x) - norm (y)) > 1e-4 * norm (y)
    error ('system %d of kind %d, %d x %d', number, head(1), m, n);
  end
  number++;
end
fclose (f);
delete (file);
printf ('%d systems\n', number);
assert (number >= 40);
