function C = nthroot (A, n)
% nthroot  The real n-th root, entry by entry, for a whole number n.
%
%   C = nthroot (gpuMatrix (-8), 3)
  A = gpuMatrix (A);
  n = double (n);
  C = abs (A) .^ (1 / n);
  if mod (n, 2) == 1
    C = sign (A) .* C;
  else
    C = gpuCall ('merge', {A < 0, NaN, C}, 'single');
  end
end
%!assert (double (nthroot (gpuMatrix ([-8 27]), 3)), [-2 3], 1e-6)
