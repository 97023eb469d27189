function t = trace (A)
% trace  The sum of the diagonal.
%
%   t = trace (gpuMatrix ([1 2; 3 4]))
  if A.size(1) ~= A.size(2)
    error ('texla:nonconformant', 'trace: A is %d x %d (need a square matrix)', A.size(1), A.size(2));
  end
  t = sum (gpuCall ('diagonal', {A, 0}, 'single'), 1);
end
