function C = diag (A, k)
% diag  The k-th diagonal of a matrix, or the matrix with a vector as its k-th diagonal.
%
%   d = diag (gpuMatrix ([1 2; 3 4]))
  if nargin < 2
    k = 0;
  end
  if isvector (A)
    C = gpuCall ('diagonal_matrix', {A, k}, A.class);
  else
    C = gpuCall ('diagonal', {A, k}, A.class);
  end
end
