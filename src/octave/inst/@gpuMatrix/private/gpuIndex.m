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
  subs = gpuPlane (subs);
  list = cell (1, 2);
  for d = 1:2
    list{d} = gpuSubscript (subs{d}, s(d));
    if ischar (list{d})
      list{d} = 0;
    end
  end
  C = gpuCall ('index', [{A}, list], A.class);
end
