function s = dot (A, B)
% dot  The scalar product of vectors, or of the columns of two matrices.
%
%   s = dot (gpuMatrix ([1 2 3]), [4 5 6])
  if isvector (A) && isvector (B)
    s = gpuCall ('dot', {gpuMatrix(A), gpuMatrix(B)}, 'single');
  else
    s = sum (A .* B, 1);
  end
end
