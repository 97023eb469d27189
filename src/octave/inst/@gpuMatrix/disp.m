function disp (A)
% disp  Shows the values; of large matrices only the first ones. Waits until they are there.
%
%   disp (gpuMatrix ([1 2; 3 4]))
  s = A.size;
  if prod (s) <= 10000
    disp (gather (A));
    return
  end
  if A.sparse
    fprintf ('  sparse\n');
    return
  end
  part = min (s, 8);
  disp (gather (gpuIndex (A, {1:part(1), 1:part(2)})));
  fprintf ('  ... the first %d x %d of %d x %d\n', part(1), part(2), s(1), s(2));
end
