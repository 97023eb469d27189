function r = isempty (A)
% isempty  As for ordinary matrices.
  r = any (A.size == 0);
end
