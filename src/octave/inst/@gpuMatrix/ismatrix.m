function r = ismatrix (A)
% ismatrix  As for ordinary matrices.
  r = true;
end
