function A = gpuAssignBlock (A, subs, B)
% A(i, j) = B
  n = size (A);
  count = zeros (1, 2);
  for d = 1:2
    k{d} = gpuSubscript (subs{d}, Inf);
    if ischar (k{d})
      if n(d) == 0
        n(d) = size (B, d);
      end
      k{d} = 1:n(d);
    end
    count(d) = numel (k{d});
    n(d) = max ([n(d), max(k{d}(:))]);
  end
  if prod (count) == 0
    return
  end
  if ~ isscalar (B)
    if ~ isequal (size (B), count) && ~ (isvector (B) && any (count == 1) && numel (B) == prod (count))
      error ('texla:nonconformant', 'assignment: A(I, J) is %d x %d but the right side is %d x %d', count(1), count(2), ...
             size (B, 1), size (B, 2));
    end
    if ~ isequal (size (B), count)
      B = reshape (B, count(1), count(2));
    end
  end
  if ~ isequal (n, size (A))
    A = gpuResize (A, n);
  end
  for d = 1:2 % which row (column) of B comes here; 0: none
    map{d} = zeros (1, n(d));
    map{d}(k{d}) = 1:count(d);
    map{d} = gpuMatrix (map{d});
  end
  A = gpuCall ('assign', {A, map{1}, map{2}, B}, gpuCommon (A, B));
end
