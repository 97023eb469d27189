function r = ndims (A)
% ndims  As for ordinary matrices.
%
%   n = ndims (gpuMatrix ([1 2]))
  r = 2;
end
