function A = gpuRemove (A, subs)
% A(subs{:}) = []
  n = size (A);
  if numel (subs) == 1
    k = gpuSubscript (subs{1}, prod (n));
    if ~ any (n == 1) && ~ ischar (k)
      error ('texla:badIndex', 'a list of entries can only be removed from a vector');
    end
    kept = 1:prod (n);
    kept(k) = [];
    A = gpuIndex (A, {kept});
  elseif ischar (subs{1})
    kept = 1:n(2);
    kept(gpuSubscript (subs{2}, n(2))) = [];
    A = gpuIndex (A, {':', kept});
  elseif ischar (subs{2})
    kept = 1:n(1);
    kept(gpuSubscript (subs{1}, n(1))) = [];
    A = gpuIndex (A, {kept, ':'});
  else
    error ('texla:badIndex', 'only whole rows or columns can be removed');
  end
end
