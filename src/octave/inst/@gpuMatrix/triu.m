function C = triu (A, k)
% triu  The triangle from diagonal k on.
  if nargin < 2
    k = 0;
  end
  C = gpuCall ('triu', {A, k}, A.class);
end
