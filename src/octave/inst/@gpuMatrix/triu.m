function C = triu (A, k)
% triu  The triangle from diagonal k on.
%
%   C = triu (gpuMatrix ([1 2; 3 4]))
  if nargin < 2
    k = 0;
  end
  C = gpuCall ('triu', {A, k}, A.class);
end
