function r = iscolumn (A)
% iscolumn  As for ordinary matrices.
%
%   t = iscolumn (gpuMatrix ([1; 2]))
  r = A.size(2) == 1;
end
