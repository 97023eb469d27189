function C = tril (A, k)
% tril  The triangle from diagonal k on.
%
%   C = tril (gpuMatrix ([1 2; 3 4]))
  if nargin < 2
    k = 0;
  end
  C = gpuCall ('tril', {A, k}, A.class);
end
