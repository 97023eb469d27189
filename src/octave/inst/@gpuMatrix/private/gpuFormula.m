function C = gpuFormula (code, operands)
% A formula of GLSL in x, y, z, entry by entry.
  list = operands;
  for k = 1:numel (operands)
    x = operands{k};
    if isa (x, 'gpuMatrix')
      list{k} = x.id;
    elseif isscalar (x) && isreal (x)
      list{k} = double (x);
    else
      operands{k} = gpuPut (x);
      list{k} = operands{k}.id;
    end
  end
  id = uint64 (0);
  while id == 0
    id = texla_mex ('formula', code, list{:});
  end
  C = gpuMatrix ('#id', id, texla_mex ('shape', id), 'single');
end
