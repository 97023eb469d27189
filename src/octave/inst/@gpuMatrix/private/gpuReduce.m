function s = gpuReduce (name, empty, A, dim)
% sum or prod along dim (without it: the first one that is not 1). Of a 0 x 0 matrix it is the number `empty`, as Octave has it. Sums of sparse
% matrices come in double, as their entries are kept.
  if nargin < 4
    dim = gpuDim (A.size);
  end
  if dim == 1 && all (size (A) == 0)
    s = gpuMatrix (single (empty));
    return
  end
  kind = 'single';
  if A.sparse
    kind = 'double';
  end
  s = gpuCall (name, {A, dim}, kind);
end
