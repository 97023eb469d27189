function r = isscalar (A)
% isscalar  As for ordinary matrices.
%
%   t = isscalar (gpuMatrix (1))
  r = all (A.size == 1);
end
