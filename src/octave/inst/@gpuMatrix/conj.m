function r = conj (A)
% conj  As for ordinary matrices.
  r = A;
end
