function A = gpuPut (x)
% A copy of x on the device.
  kind = 'single';
  if islogical (x)
    kind = 'logical';
  elseif isa (x, 'double')
    kind = 'double';
  end
  if issparse (x)
    x = double (x);
  elseif ~ isfloat (x)
    x = single (x);
  end
  id = uint64 (0);
  while id == 0 % 0: no room yet; between the tries Ctrl-C is honoured
    id = texla_mex ('put', x);
  end
  A = gpuMatrix ('#id', id, [size(x), issparse(x)], kind);
end
