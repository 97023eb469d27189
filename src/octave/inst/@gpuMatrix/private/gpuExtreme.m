function [m, k] = gpuExtreme (name, A, dim)
% max or min along dim, and where the first of them stands. Of an empty matrix both are empty.
  if any (size (A) == 0)
    m = gpuMatrix (zeros (0, 0));
    k = m;
    return
  end
  kind = 'single';
  if A.sparse
    kind = 'double';
  end
  m = gpuCall (name, {A, dim}, kind);
  if nargout > 1
    k = gpuCall (['arg', name], {A, dim}, 'double');
  end
end
