function C = tril (A, k)
% tril  The triangle from diagonal k on.
  if nargin < 2
    k = 0;
  end
  C = gpuCall ('tril', {A, k}, A.class);
end
