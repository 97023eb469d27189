function r = ndims (A)
% ndims  As for ordinary matrices.
  r = 2;
end
