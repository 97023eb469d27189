function r = isfloat (A)
% isfloat  As for ordinary matrices.
%
%   t = isfloat (gpuMatrix (1))
  r = ~ strcmp (A.class, 'logical');
end
