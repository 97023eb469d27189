function varargout = gpuCall (name, operands, kind)
% Submits an operation: operands are gpuMatrix objects, matrices (put first) and numbers. As many results as outputs.
  n = max (nargout, 1);
  list = operands;
  for k = 1:numel (operands)
    x = operands{k};
    if isa (x, 'gpuMatrix')
      list{k} = x.id;
    elseif ~ isnumeric (x) && ~ islogical (x)
      error ('texla:badArgument', '%s: operand %d is a %s', name, k, class (x));
    elseif ~ isscalar (x) || issparse (x)
      operands{k} = gpuPut (x); % which lives as long as this call
      list{k} = operands{k}.id;
    elseif ~ isreal (x)
      error ('texla:unsupported', '%s: operand %d is complex', name, k);
    else
      list{k} = double (x);
    end
  end
  id = uint64 (0);
  while id(1) == 0
    id = texla_mex ('submit', name, n, list{:});
  end
  for k = 1:n
    varargout{k} = gpuMatrix ('#id', id(k), texla_mex ('shape', id(k)), kind);
  end
end
