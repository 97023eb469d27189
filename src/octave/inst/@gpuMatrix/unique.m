function [u, i, j] = unique (A, varargin)
% unique  The values that occur, in order: sorted on the device; waits for their number. [u, i, j] = unique (A, 'first' | 'last'):
% u = A(i), A = u(j). Options 'rows' and 'stable' are taken by Octave's own function of the values.
%
%   u = unique (gpuMatrix ([3 1 3 2]))
  options = varargin(cellfun (@ischar, varargin));
  if any (strcmp (options, 'rows')) || any (strcmp (options, 'stable'))
    [u, i, j] = unique (gather (A), varargin{:});
    u = gpuMatrix (u);
    return
  end
  n = numel (A);
  if n == 0
    [u, i, j] = unique (gather (A));
    u = gpuMatrix (u);
    return
  end
  [S, k] = sort (reshape (A, n, 1));
  new = logical (S ~= gpuIndex (S, {[1, 1:n - 1], ':'}));
  new(1) = true;
  places = find (new);
  u = gpuIndex (S, {places});
  if nargout > 1
    k = double (k);
    i = k(places);
    if any (strcmp (options, 'last'))
      i = k([places(2:end) - 1; n]);
    end
    j = zeros (n, 1);
    j(k) = cumsum (new);
  end
  if isrow (A)
    u = reshape (u, 1, []);
  end
end
%!test
%! a = single ([3 1 3 2 1 7]);
%! [u, i, j] = unique (a); [U, I, J] = unique (gpuMatrix (a));
%! assert (single (U), u); assert (I, i); assert (J, j);
%! assert (single (unique (gpuMatrix ([2 1; 1 2]))), single ([1; 2]));
