function x = single (A, seconds)
% single  The values of A as an ordinary matrix. Waits until they are there. single (A, seconds): an error if they are not there by then.
%
%   x = single (gpuMatrix ([1 2]))
  if nargin > 1
    gpuWaitAtMost (A, seconds, 'single');
  end
  x = gpuFetch (A, 'single');
  if A.sparse
    x = single (full (x));
  end
end
%!test
%! x = single (gpuMatrix ([1 2; 3 4]));
%! assert (x, single ([1 2; 3 4]));
%! assert (single (gpuMatrix (7), 60), single (7));
%!test
%! A = gpurand (700); % a chain of products that is not done at once
%! for k = 1:40, A = A * A / 700; end
%! try
%!   single (A, 0);
%! catch e
%!   assert (e.identifier, 'texla:timeout');
%! end
%! single (A);
