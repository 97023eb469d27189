function s = dot (A, B)
% dot  The scalar product of vectors, or of the columns of two matrices.
  if isvector (A) && isvector (B)
    s = gpuCall ('dot', {gpuMatrix(A), gpuMatrix(B)}, 'single');
  else
    s = sum (A .* B, 1);
  end
end
