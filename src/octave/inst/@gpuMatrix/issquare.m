function r = issquare (A)
% issquare  As for ordinary matrices.
  r = A.size(1) == A.size(2);
end
