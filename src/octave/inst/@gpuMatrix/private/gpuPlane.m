function subs = gpuPlane (subs)
% Subscripts beyond the second one must be 1, ':' or a mask of one true: matrices have one page. Returns the first two.
  for d = 3:numel (subs)
    k = subs{d};
    if isa (k, 'gpuMatrix')
      k = gather (k);
    end
    first = (ischar (k) && strcmp (k, ':')) || (islogical (k) && isequal (k, true)) || isequal (double (k), 1);
    if ~ first
      error ('texla:indexOutOfBounds', 'index %d: out of bound 1; matrices on the device have two dimensions', d);
    end
  end
  if numel (subs) > 2
    subs = subs(1:2);
  end
end
