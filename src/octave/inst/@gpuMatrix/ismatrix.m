function r = ismatrix (A)
% ismatrix  As for ordinary matrices.
%
%   t = ismatrix (gpuMatrix ([1 2]))
  r = true;
end
