function r = isrow (A)
% isrow  As for ordinary matrices.
%
%   t = isrow (gpuMatrix ([1 2]))
  r = A.size(1) == 1;
end
