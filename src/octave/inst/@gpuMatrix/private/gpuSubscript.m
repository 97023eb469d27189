function k = gpuSubscript (k, n, sparse_ok)
% An index as positions (double), ':' as itself; checked against n (Inf: may be larger).
  if ischar (k) && strcmp (k, ':')
    return
  end
  if isa (k, 'gpuMatrix')
    k = gather (k);
  end
  if islogical (k)
    if numel (k) > n && any (k(n + 1:end))
      error ('texla:indexOutOfBounds', 'index (%d): out of bound %d', find (k(:), 1, 'last'), n);
    end
    shape = size (k);
    k = find (k);
    if shape(1) == 1 && shape(2) > 1
      k = reshape (k, 1, []);
    end
    return
  end
  if ~ isnumeric (k)
    error ('texla:badIndex', 'index: subscripts must be numbers, not a %s', class (k));
  end
  k = double (k);
  if any (k(:) < 1 | k(:) ~= floor (k(:)))
    error ('texla:badIndex', 'index: subscripts must be whole numbers from 1 on, or logical');
  end
  if any (k(:) > n)
    error ('texla:indexOutOfBounds', 'index (%d): out of bound %d', max (k(:)), n);
  end
end
