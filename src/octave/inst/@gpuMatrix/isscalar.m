function r = isscalar (A)
% isscalar  As for ordinary matrices.
  r = all (A.size == 1);
end
