function r = uplus (A)
% uplus  As for ordinary matrices.
  r = A;
end
