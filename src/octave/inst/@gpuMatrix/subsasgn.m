function A = subsasgn (A, s, B)
% subsasgn  A(i, j) = B, A(k) = B, A(mask) = B; A grows where need be; A(:, k) = [] removes. What is written is touched, and no more,
% unless another variable holds the same matrix.
%
%   A = gpuMatrix ([1 2; 3 4]); A(1, :) = 7
  if isa (A, 'gpuMatrix') && numel (s) == 1 && numel (s.subs) == 2 && ~ strcmp (A.class, 'logical') && ~ A.sparse
    k = s.subs;
    id = texla_mex ('write', A.id, k{1}, k{2}, B); % the shortest way for the most frequent cases: entries, blocks
    if id > 0
      A.id = id;
      A.hold = onCleanup (@() texla_mex ('release', id));
      return
    end
  end
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
