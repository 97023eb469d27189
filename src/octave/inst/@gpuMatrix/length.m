function r = length (A)
% length  As for ordinary matrices.
  r = max (A.size) * all (A.size > 0);
end
