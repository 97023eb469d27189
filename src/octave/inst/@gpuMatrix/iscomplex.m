function r = iscomplex (A)
% iscomplex  As for ordinary matrices.
%
%   t = iscomplex (gpuMatrix (1))
  r = false;
end
