function r = uplus (A)
% uplus  As for ordinary matrices.
%
%   C = +gpuMatrix ([1 2])
  r = A;
end
