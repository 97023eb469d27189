function [L, U, P] = lu (A, how)
% lu  [L, U, P] = lu (A): P A = L U with partial pivoting. [L, U] = lu (A): L = P' L. [L, U, p] = lu (A, 'vector'): A(p, :) = L U.
% Y = lu (A): U with L below its diagonal.
%
%   [L, U, P] = lu (gpuMatrix ([1 2; 3 4]))
  [L, U, p] = gpuCall ('lu', {A}, 'single');
  if nargout < 2
    L = gpuResize (tril (L, -1), A.size) + gpuResize (U, A.size);
  elseif nargout > 2 && nargin > 1
    P = p;
  elseif nargout > 2
    P = gpuIndex (gpuMatrix ('eye', A.size(1)), {p, ':'});
  else % rows of L back to where they were: P' L
    L = gpuIndex (gpuMatrix ('eye', A.size(1)), {p, ':'})' * L;
  end
end
%!test
%! a = single ([1 2 3; 4 5 7; 7 1 2]);
%! [l, u, p] = lu (a);
%! [L, U, P] = lu (gpuMatrix (a));
%! assert (single (L), l, 1e-5); assert (single (U), u, 1e-5); assert (single (P), single (full (p)));
%! assert (single (lu (gpuMatrix (a))), lu (a), 1e-5);
