function r = issquare (A)
% issquare  As for ordinary matrices.
%
%   t = issquare (gpuMatrix ([1 2]))
  r = A.size(1) == A.size(2);
end
