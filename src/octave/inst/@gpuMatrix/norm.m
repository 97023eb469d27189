function n = norm (A, p)
% norm  Of a vector: p = 2 (default), 1, Inf, 'fro'; of a matrix the same. The 2-norm of a matrix is the root of the largest eigenvalue of
% A' A or A A', whichever is smaller; that one is read back, so that this case waits. NaN where there is a NaN.
%
%   s = norm (gpuMatrix ([3 4]))
  if nargin < 2
    p = 2;
  end
  if ischar (p) && strcmpi (p, 'inf')
    p = Inf;
  end
  if any (A.size == 0)
    n = gpuMatrix (0);
  elseif ischar (p) || (isequal (p, 2) && isvector (A))
    if A.sparse
      n = sqrt (sum (sum (A .* A, 1), 2));
    else
      n = gpuCall ('norm2', {A}, 'single');
    end
  elseif isequal (p, 1) || isequal (p, Inf)
    if isvector (A)
      S = abs (A);
    else
      S = sum (abs (A), 1 + (p == Inf));
    end
    if p == 1 && isvector (A)
      n = sum (sum (S, 1), 2);
    else
      n = max (max (S, [], 1), [], 2);
    end
    if ~ A.sparse % whose entries are finite
      n = gpuCall ('merge', {sum(sum (A ~= A, 1), 2), NaN, n}, 'single');
    end
  elseif isequal (p, 2)
    if A.size(1) > A.size(2)
      G = A' * A;
    else
      G = A * A';
    end
    g = full (double (G));
    if any (isnan (g(:)))
      n = gpuMatrix (single (NaN));
    elseif any (isinf (g(:)))
      n = gpuMatrix (single (Inf));
    else
      n = gpuMatrix (single (sqrt (norm (g))));
    end
  else
    error ('texla:unsupported', 'norm: not available for gpuMatrix in this case, use norm (double (A), p)');
  end
end
%!test
%! a = single ([1 2 3; 4 5 7]);
%! for p = {1, 2, Inf, 'fro'}
%!   assert (single (norm (gpuMatrix (a), p{1})), norm (a, p{1}), 1e-5);
%! end
%!test
%! for p = {1, 2, Inf, 'fro'}
%!   assert (double (norm (gpuMatrix ([NaN 1; 2 3]), p{1})), NaN);
%!   assert (double (norm (gpuMatrix ([1 NaN 3]), p{1})), norm ([1 NaN 3], p{1}));
%! end
