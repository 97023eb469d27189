function x = single (A)
% single  The values of A as an ordinary matrix. Waits until they are there.
%
%   x = single (gpuMatrix ([1 2]))
  x = gpuFetch (A, 'single');
  if A.sparse
    x = single (full (x));
  end
end
%!test
%! x = single (gpuMatrix ([1 2; 3 4]));
%! assert (x, single ([1 2; 3 4]));
