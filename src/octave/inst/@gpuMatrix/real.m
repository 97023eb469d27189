function r = real (A)
% real  As for ordinary matrices.
  r = A;
end
