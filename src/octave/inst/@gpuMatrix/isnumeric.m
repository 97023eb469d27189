function r = isnumeric (A)
% isnumeric  As for ordinary matrices.
  r = ~ strcmp (A.class, 'logical');
end
