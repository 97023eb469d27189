function [L, U, P] = lu (A, how)
% lu  [L, U, P] = lu (A): P A = L U with partial pivoting. [L, U] = lu (A): L = P' L. [L, U, p] = lu (A, 'vector'): A(p, :) = L U.
  [L, U, p] = gpuCall ('lu', {A}, 'single');
  if nargout > 2 && nargin > 1
    P = p;
  elseif nargout > 2
    P = gpuIndex (gpuMatrix ('eye', A.size(1)), {p, ':'});
  else % rows of L back to where they were: P' L
    L = gpuIndex (gpuMatrix ('eye', A.size(1)), {p, ':'})' * L;
  end
  if nargout < 2
    error ('texla:unsupported', 'lu: two or three outputs are needed');
  end
end
