function r = isreal (A)
% isreal  As for ordinary matrices.
  r = true;
end
