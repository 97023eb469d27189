function r = underlyingType (A)
% underlyingType  As for ordinary matrices.
%
%   name = underlyingType (gpuMatrix (1))
  r = A.class;
end
