function r = isrow (A)
% isrow  As for ordinary matrices.
  r = A.size(1) == 1;
end
