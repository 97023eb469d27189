function r = length (A)
% length  As for ordinary matrices.
%
%   n = length (gpuMatrix ([1 2 3]))
  r = max (A.size) * all (A.size > 0);
end
