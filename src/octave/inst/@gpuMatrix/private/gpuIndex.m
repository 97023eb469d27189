function C = gpuIndex (A, subs)
% A(subs{:})
  s = A.size;
  if numel (subs) == 1
    k = subs{1};
    if ischar (k)
      C = gpuCall ('reshape', {A, prod(s), 1}, A.class);
      return
    end
    mask = (islogical (k) || (isa (k, 'gpuMatrix') && strcmp (k.class, 'logical'))) && ~ any (size (k) == 1);
    k = gpuSubscript (k, prod (s));
    if mask
      k = k(:);
    end
    if isvector (k) && any (s == 1) && ~ all (s == 1) && ~ mask % a vector's entries keep its direction
      if s(1) == 1
        k = reshape (k, 1, []);
      else
        k = reshape (k, [], 1);
      end
    end
    C = gpuCall ('select', {A, gpuMatrix(k)}, A.class);
    return
  end
  for d = 3:numel (subs) % A(i, j, 1)
    gpuSubscript (subs{d}, 1);
  end
  list = cell (1, 2);
  for d = 1:2
    if isa (subs{d}, 'gpuMatrix') && ~ strcmp (subs{d}.class, 'logical')
      list{d} = subs{d}; % an index that is not known yet: not checked
    else
      list{d} = gpuSubscript (subs{d}, s(d));
    end
    if ischar (list{d})
      list{d} = 0;
    end
  end
  C = gpuCall ('index', [{A}, list], A.class);
end
