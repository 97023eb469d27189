function r = real (A)
% real  As for ordinary matrices.
%
%   C = real (gpuMatrix ([1 2]))
  r = A;
end
