function bench_calls (sizes)
% bench_calls  Times of 12 typical calls in Octave and with gpuMatrix, at three sizes: medians of five, and from where on texla wins.
% Values are on the device before, and the clock stops when the result is there. For figures use a quiet machine.
%
%   bench_calls ([64 128 256])
  if nargin < 1
    sizes = [256 1024 2048];
  end
  calls = {'A + B', @(a, b) a + b; 'A .* B', @(a, b) a .* b; 'exp (A)', @(a, b) exp (a); 'sin (A)', @(a, b) sin (a); ...
           'A * B', @(a, b) a * b; 'A''', @(a, b) a'; 'sum (A)', @(a, b) sum (a); 'max (A)', @(a, b) max (a); ...
           'cumsum (A)', @(a, b) cumsum (a); 'sort (A)', @(a, b) sort (a); 'A(:, end:-1:1)', @(a, b) fliplr (a); ...
           'conv2 (A, 5 x 5)', @(a, b) conv2 (a, b(1:5, 1:5), 'same')};
  i = gpuinfo ();
  fprintf ('%s, texla %s, Octave %s; seconds, medians of five\n%-18s', i.renderer, i.texla, version (), '');
  fprintf ('  Octave %5d   texla %5d', [sizes; sizes]);
  fprintf ('   wins from\n');
  for k = 1:size (calls, 1)
    fprintf ('%-18s', calls{k, 1});
    from = 'nowhere here';
    for n = sizes
      a = single (rand (n));
      b = single (rand (n));
      A = gpuMatrix (a) + 0;
      B = gpuMatrix (b) + 0;
      f = calls{k, 2};
      t = zeros (5, 2);
      wait (f (A, B));
      for turn = 1:5
        start = tic;
        f (a, b);
        t(turn, 1) = toc (start);
        start = tic;
        wait (f (A, B));
        t(turn, 2) = toc (start);
      end
      m = median (t);
      fprintf ('  %12.2e  %11.2e', m);
      if m(2) < m(1) && strcmp (from, 'nowhere here')
        from = sprintf ('%d', n);
      end
    end
    fprintf ('   %s\n', from);
  end
end
%!test
%! text = evalc ('bench_calls ([8 16])');
%! assert (numel (strfind (text, sprintf ('\n'))), 14);
