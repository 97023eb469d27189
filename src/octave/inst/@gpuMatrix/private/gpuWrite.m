function A = gpuWrite (name, A, list, kind)
% A after an operation that writes into it: its own memory, where no copy of A is left.
  for k = 1:numel (list)
    x = list{k};
    if isa (x, 'gpuMatrix')
      list{k} = x.id;
    elseif ~ isscalar (x) || issparse (x)
      kept{k} = gpuPut (x); % as long as this call lasts
      list{k} = kept{k}.id;
    elseif ~ isreal (x)
      error ('texla:unsupported', 'assignment: complex numbers are not supported');
    elseif ~ isa (x, 'double')
      list{k} = double (x);
    end
  end
  id = uint64 (0);
  while id == 0
    id = texla_mex ('submit', name, 1, A.id, list{:});
  end
  A.id = id;
  A.class = kind;
  if A.sparse
    A.class = 'double';
  end
  A.hold = onCleanup (@() texla_mex ('release', id));
end
