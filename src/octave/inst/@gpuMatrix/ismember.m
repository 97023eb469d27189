function [t, k] = ismember (A, S)
% ismember  True where an entry of A is one of S. [t, k]: the last place where it stands in S, or 0.
%
%   t = ismember (gpuMatrix ([1 5 2]), [1 2 3])
  A = gpuMatrix (A);
  S = gpuMatrix (S);
  if numel (S) == 0 || numel (A) == 0
    t = gpuMatrix (false (size (A)));
    k = gpuMatrix (zeros (size (A)));
    return
  end
  [table, place] = sort (reshape (S, numel (S), 1));
  table = gpuIndex (table, {1:max(1, numel (table) - double (sum (isnan (table)))), ':'});
  at = max (gpuFloor (table, A), 1);
  t = gpuCall ('select', {table, at}, 'single') == A;
  if nargout > 1
    k = t .* gpuCall ('select', {place, at}, 'double');
  end
end
%!test
%! a = [1 5 2; 7 3 1]; s = [3 1 9 1];
%! [t, k] = ismember (a, s); [T, K] = ismember (gpuMatrix (a), s);
%! assert (logical (T), t); assert (double (K), k);
