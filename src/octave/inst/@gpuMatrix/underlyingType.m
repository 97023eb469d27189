function r = underlyingType (A)
% underlyingType  As for ordinary matrices.
  r = A.class;
end
