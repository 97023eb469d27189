function r = rows (A)
% rows  As for ordinary matrices.
  r = A.size(1);
end
