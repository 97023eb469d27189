function r = classUnderlying (A)
% classUnderlying  As for ordinary matrices.
  r = A.class;
end
