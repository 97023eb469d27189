function n = norm (A, p)
% norm  Of a vector: p = 2 (default), 1, Inf, 'fro'; of a matrix: 1, Inf, 'fro'. The 2-norm of a matrix: norm (double (A)).
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
  else
    error ('texla:unsupported', 'norm: not available for gpuMatrix in this case, use norm (double (A), p)');
  end
end
