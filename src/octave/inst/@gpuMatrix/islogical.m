function r = islogical (A)
% islogical  As for ordinary matrices.
%
%   t = islogical (gpuMatrix (1) > 0)
  r = strcmp (A.class, 'logical');
end
