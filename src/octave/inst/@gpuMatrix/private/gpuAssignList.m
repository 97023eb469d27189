function A = gpuAssignList (A, k, B)
% A(k) = B
  n = size (A);
  k = gpuSubscript (k, Inf);
  if ischar (k)
    k = 1:prod (n);
  end
  if isempty (k)
    return
  end
  if ~ isscalar (B) && numel (B) ~= numel (k)
    error ('texla:nonconformant', 'assignment: A(I) has %d entries but the right side has %d', numel (k), numel (B));
  end
  kind = gpuCommon (A, B);
  last = max (k(:));
  if last > prod (n)
    if n(1) == 1 || all (n == 0)
      n = [1, last];
    elseif n(2) == 1
      n = [last, 1];
    else
      error ('texla:indexOutOfBounds', 'index (%d): out of bound %d; only vectors grow so', last, prod (n));
    end
    A = gpuResize (A, n);
  end
  A = gpuWrite ('write_select', A, {k, B}, kind);
end
