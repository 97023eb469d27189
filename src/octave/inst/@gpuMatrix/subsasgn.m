function A = subsasgn (A, s, B)
% subsasgn  A(i, j) = B, A(k) = B, A(mask) = B; A grows where need be; A(:, k) = [] removes.
  if numel (s) > 1 || ~ strcmp (s.type, '()')
    error ('texla:badIndex', 'a gpuMatrix is assigned to with (), not with %s', s(1).type);
  end
  s.subs = gpuPlane (s.subs);
  if ~ isa (A, 'gpuMatrix')
    A = gpuMatrix (A);
  end
  if ~ isa (B, 'gpuMatrix') && isequal (size (B), [0, 0]) && isnumeric (B)
    A = gpuRemove (A, s.subs);
  elseif numel (s.subs) == 1
    A = gpuAssignList (A, s.subs{1}, B);
  else
    A = gpuAssignBlock (A, s.subs, B);
  end
end
