function r = isnumeric (A)
% isnumeric  As for ordinary matrices.
%
%   t = isnumeric (gpuMatrix (1))
  r = ~ strcmp (A.class, 'logical');
end
