function r = iscomplex (A)
% iscomplex  As for ordinary matrices.
  r = false;
end
