function r = rows (A)
% rows  As for ordinary matrices.
%
%   n = rows (gpuMatrix ([1; 2]))
  r = A.size(1);
end
