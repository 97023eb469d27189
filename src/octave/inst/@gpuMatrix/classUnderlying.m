function r = classUnderlying (A)
% classUnderlying  As for ordinary matrices.
%
%   name = classUnderlying (gpuMatrix (1))
  r = A.class;
end
