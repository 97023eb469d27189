function r = islogical (A)
% islogical  As for ordinary matrices.
  r = strcmp (A.class, 'logical');
end
