function r = isvector (A)
% isvector  As for ordinary matrices.
%
%   t = isvector (gpuMatrix ([1 2]))
  r = any (A.size == 1) && all (A.size >= 1);
end
