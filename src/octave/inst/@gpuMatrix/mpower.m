function C = mpower (A, p)
% mpower  A ^ p for a square A and a whole number p.
%
%   C = gpuMatrix ([1 1; 0 1]) ^ 5
  if isscalar (A) && isscalar (p)
    C = A .^ p;
    return
  end
  p = double (p);
  if ~ isscalar (p) || p ~= floor (p) || size (A, 1) ~= size (A, 2)
    error ('texla:nonconformant', 'mpower: a square matrix and a whole number are needed');
  end
  if p < 0
    A = inv (A);
    p = -p;
  end
  C = [];
  while p > 0
    if mod (p, 2) == 1
      if isempty (C)
        C = A;
      else
        C = C * A;
      end
    end
    p = floor (p / 2);
    if p > 0
      A = A * A;
    end
  end
  if isempty (C)
    C = gpuMatrix (speye (size (A, 1)));
    if ~ issparse (A)
      C = gpuMatrix ('eye', size (A));
    end
  end
end
