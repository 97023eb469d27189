function r = columns (A)
% columns  As for ordinary matrices.
%
%   n = columns (gpuMatrix ([1 2 3]))
  r = A.size(2);
end
