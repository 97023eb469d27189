function r = isempty (A)
% isempty  As for ordinary matrices.
%
%   t = isempty (gpuMatrix (zeros (0, 3)))
  r = any (A.size == 0);
end
