function r = isvector (A)
% isvector  As for ordinary matrices.
  r = any (A.size == 1) && all (A.size >= 1);
end
