function A = gpuAssignBlock (A, subs, B)
% A(i, j) = B
  n = A.size;
  k = cell (1, 2);
  count = zeros (1, 2);
  for d = 1:2
    k{d} = gpuSubscript (subs{d}, Inf);
    if ischar (k{d})
      if n(d) == 0
        n(d) = size (B, d);
      end
      count(d) = n(d);
      k{d} = 0;
    else
      count(d) = numel (k{d});
      n(d) = max ([n(d), max(k{d}(:))]);
    end
  end
  if prod (count) == 0
    return
  end
  if ~ isscalar (B) && ~ isequal (size (B), count) && ~ (isvector (B) && any (count == 1) && numel (B) == prod (count))
    error ('texla:nonconformant', 'assignment: A(I, J) is %d x %d but the right side is %d x %d', count(1), count(2), ...
           size (B, 1), size (B, 2));
  end
  kind = gpuCommon (A, B);
  if ~ isequal (n, A.size)
    A = gpuResize (A, n);
  end
  A = gpuWrite ('write', A, [k, {B}], kind);
end
