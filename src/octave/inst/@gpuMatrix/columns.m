function r = columns (A)
% columns  As for ordinary matrices.
  r = A.size(2);
end
