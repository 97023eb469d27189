function r = isfloat (A)
% isfloat  As for ordinary matrices.
  r = ~ strcmp (A.class, 'logical');
end
