% The help of each function has an example, which runs. Where Octave has the function for double, the example gives the same there.
1;

% The indented lines of the comment at the top of a file.
function code = exampleOf (file)
  lines = strsplit (fileread (file), "\n");
  last = find (! strncmp (lines(2:end), '%', 1), 1);
  top = lines(2:last);
  code = strjoin (cellfun (@(l) l(2:end), top(strncmp (top, '%   ', 4)), 'UniformOutput', false), "\n");
end

% What the example prints, and its variables.
function [text__, s__] = run (code__)
  text__ = evalc (code__);
  s__ = struct ();
  for name__ = setdiff (who (), {'code__', 'text__', 's__', 'name__'})'
    s__.(name__{1}) = eval (name__{1});
  end
end

function same (file, got, wanted)
  for name = fieldnames (wanted)'
    x = got.(name{1});
    y = wanted.(name{1});
    if isnumeric (y) || islogical (y)
      x = double (x)(:);
      y = double (y)(:);
      alike = numel (x) == numel (y) && all (x == y | (isnan (x) & isnan (y)) | abs (x - y) <= 1e-5 * (1 + abs (y)));
      assert (alike, '%s: the example differs from Octave in %s', file, name{1});
    end
  end
end

set (0, 'defaultfigurevisible', 'off');
folder = fileparts (which ('gpuinfo'));
files = [glob(fullfile (folder, '*.m')); glob(fullfile (folder, '@gpuMatrix', '*.m'))]';
count = [0 0 0 0];
for file = files
  if ! isempty (strfind (fileread (file{1}), '  Not available for gpuMatrix.'))
    count(3)++;
    continue
  end
  [~, name] = fileparts (file{1});
  code = exampleOf (file{1});
  assert (! isempty (code), '%s has no example', name);
  try
    [~, got] = run (code);
  catch e
    if strcmp (e.message, 'no graphics toolkits are available!')
      count(4)++;
      continue
    end
    error ('%s: its example fails: %s\n%s', name, e.message, code);
  end
  count(1)++;
  plain = strrep (strrep (code, 'gpuMatrix (', '('), 'gpuMatrix(', '(');
  try
    [~, wanted] = run (plain);
  catch
    continue % Octave has no such function
  end
  if ! strcmp (code, plain) && ! any (strcmp (name, {'rand', 'randi', 'randn', 'randperm', 'inv', 'qr', 'rank'}))
    same (name, got, wanted);
    count(2)++;
  end
end
printf ('%d examples ran, %d gave what Octave gives; %d functions are refused by name, %d draw\n', count);
