function kind = gpuCommon (A, B)
% The class of A after values of B went into it.
  kind = A.class;
  if ~ strcmp (kind, 'logical') || ~ islogical (B)
    kind = 'single';
  end
end
