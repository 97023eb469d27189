function bench_calls (sizes)
% bench_calls  Times of 12 typical calls in Octave and with gpuMatrix, at three sizes: medians of five, and from where on texla wins.
% Values are on the device before, and results stay there: the clock stops when one entry of the result has been read, which is what makes
% the device finish (the last line says what reading an entry costs by itself). For figures use a quiet machine. The lines are those of the
% table in docs/octave.md.
%
%   bench_calls ([64 128 256])
  if nargin < 1
    sizes = [256 1024 2048];
  end
  calls = {'A + B', @(a, b) a + b; 'A .* B', @(a, b) a .* b; 'exp (A)', @(a, b) exp (a); 'sin (A)', @(a, b) sin (a); ...
           'A * B', @(a, b) a * b; 'A''', @(a, b) a'; 'sum (A)', @(a, b) sum (a); 'max (A)', @(a, b) max (a); ...
           'cumsum (A)', @(a, b) cumsum (a); 'sort (A)', @(a, b) sort (a); 'A(:, end:-1:1)', @(a, b) fliplr (a); ...
           'conv2 (A, 5 x 5)', @(a, b) conv2 (a, b(1:5, 1:5), 'same')};
  calls(end + 1, :) = {'one entry is read', @(a, b) a};
  i = gpuinfo ();
  fprintf ('%s, %s, texla %s, Octave %s; medians of five: Octave / texla\n\n| |', datestr (now (), 29), i.renderer, i.texla, version ());
  fprintf (' n = %d |', sizes);
  fprintf (' texla wins from |\n|---|%s---|\n', repmat ('---|', 1, numel (sizes)));
  for k = 1:size (calls, 1)
    fprintf ('| `%s` |', calls{k, 1});
    m = zeros (numel (sizes), 2);
    for s = 1:numel (sizes)
      m(s, :) = medians (calls{k, 2}, sizes(s));
      fprintf (' %s / %s |', in_words (m(s, 1)), in_words (m(s, 2)));
    end
    % from the first size on at which, and at all larger ones, texla is faster
    lost = find (m(:, 2) >= m(:, 1), 1, 'last');
    if isempty (lost)
      fprintf (' %d |\n', sizes(1));
    elseif lost < numel (sizes)
      fprintf (' %d |\n', sizes(lost + 1));
    else
      fprintf (' - |\n');
    end
  end
end
function m = medians (f, n)
  a = single (rand (n));
  b = single (rand (n));
  A = gpuMatrix (a) + 0;
  B = gpuMatrix (b) + 0;
  finish (f (A, B));
  t = zeros (5, 2);
  for turn = 1:5
    start = tic;
    f (a, b);
    t(turn, 1) = toc (start);
    start = tic;
    finish (f (A, B));
    t(turn, 2) = toc (start);
  end
  m = median (t);
end
function finish (x)
  s.type = '()';
  s.subs = {1, 1};
  single (subsref (x, s));
end
function text = in_words (seconds)
  if seconds < 1e-3
    text = sprintf ('%.0f us', 1e6 * seconds);
  elseif seconds < 1
    text = sprintf ('%.1f ms', 1e3 * seconds);
  else
    text = sprintf ('%.2f s', seconds);
  end
end
%!test
%! text = evalc ('bench_calls ([8 16])');
%! assert (numel (strfind (text, sprintf ('\n'))), 17);
