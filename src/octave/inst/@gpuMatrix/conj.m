function r = conj (A)
% conj  As for ordinary matrices.
%
%   C = conj (gpuMatrix ([1 2]))
  r = A;
end
