function r = iscolumn (A)
% iscolumn  As for ordinary matrices.
  r = A.size(2) == 1;
end
