function bench_toolbox (largest)
% bench_toolbox  Times of Octave (double precision, OpenBLAS) and texla for product, lu, rref, \ and pcg: medians, ratios, and the fit
% a + b n^3. texla's times begin with matrices on the device and end when the result is there; for \ and pcg they include all.
%
%   bench_toolbox (128)
  if nargin < 1
    largest = 1024;
  end
  i = gpuinfo ();
  fprintf ('%s, texla %s; seconds, medians\n', i.renderer, i.texla);
  sizes = 128 * 2 .^ (0:floor (log2 (largest / 128)));
  names = {'product', 'lu', 'rref', 'mldivide'};
  for k = 1:numel (names)
    t = zeros (numel (sizes), 2);
    for s = 1:numel (sizes)
      n = sizes(s);
      a = rand (n) + eye (n);
      b = rand (n, 1);
      A = gpuMatrix (single (a));
      D = gpuMatrix (a);
      switch names{k}
        case 'product'
          f = {@() a * a, @() wait (A * A)};
        case 'lu'
          f = {@() three (@() lu (a)), @() wait (three (@() lu (A)))};
        case 'rref'
          f = {@() rref (a), @() wait (rref (A))};
        case 'mldivide'
          f = {@() a \ b, @() double (D \ b)};
      end
      t(s, :) = compare (f, names{k}, n);
    end
    c = [ones(numel (sizes), 1), sizes(:) .^ 3] \ t;
    fprintf ('%-9s fit: Octave %.2g + %.3g n^3, texla %.2g + %.3g n^3, ratio of the slopes %.2f\n', names{k}, c(:), ...
             c(2, 1) / c(2, 2));
  end
  for n = largest ./ [16 8 4]
    e = ones (n, 1);
    T = spdiags ([-e, 2 * e, -e], -1:1, n, n);
    a = kron (T, speye (n)) + kron (speye (n), T);
    b = rand (n^2, 1);
    A = gpuMatrix (a);
    compare ({@() three (@() pcg (a, b, 1e-5, 5000)), @() double (pcg (A, b, 1e-5, 5000))}, 'pcg 2D', n);
  end
end

function x = three (f)
  [x, ~, ~] = f ();
end

function t = compare (f, name, n)
% Medians of both, in turns.
  for turn = 1:5
    for k = 1:2
      gpudrain ();
      start = tic;
      f{k} ();
      s(turn, k) = toc (start);
    end
    if turn > 2 && sum (s(:)) > 8
      break
    end
  end
  t = median (s(min (2, end):end, :), 1);
  fprintf ('%-9s n = %5d: Octave %9.5f, texla %9.5f, ratio %6.2f\n', name, n, t(1), t(2), t(1) / t(2));
end
