function n = norm (A, p)
% norm  Of a vector: p = 2 (default), 1, Inf, 'fro'; of a matrix the same. The 2-norm of a matrix is the root of the largest eigenvalue of
% A' A or A A', whichever is smaller; that one is read back, so that this case waits.
  if nargin < 2
    p = 2;
  end
  if ischar (p) && strcmpi (p, 'inf')
    p = Inf;
  end
  if any (A.size == 0)
    n = gpuMatrix (0);
  elseif ischar (p) || (isequal (p, 2) && isvector (A))
    n = gpuCall ('norm2', {A}, 'single');
  elseif isvector (A) && isequal (p, 1)
    n = sum (abs (A));
  elseif isvector (A) && isequal (p, Inf)
    n = max (abs (A));
  elseif isequal (p, 1) || isequal (p, Inf)
    d = 1 + (p == Inf);
    n = max (sum (abs (A), d), [], 3 - d);
  elseif isequal (p, 2)
    if A.size(1) > A.size(2)
      G = A' * A;
    else
      G = A * A';
    end
    n = gpuMatrix (single (sqrt (norm (double (G)))));
  else
    error ('texla:unsupported', 'norm: not available for gpuMatrix in this case, use norm (double (A), p)');
  end
end
%!test
%! a = single ([1 2 3; 4 5 7]);
%! for p = {1, 2, Inf, 'fro'}
%!   assert (single (norm (gpuMatrix (a), p{1})), norm (a, p{1}), 1e-5);
%! end
