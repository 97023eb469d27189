function r = isreal (A)
% isreal  As for ordinary matrices.
%
%   t = isreal (gpuMatrix (1))
  r = true;
end
