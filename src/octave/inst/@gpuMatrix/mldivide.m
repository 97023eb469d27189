function X = mldivide (A, B)
% mldivide  A \ B for a square A, dense or sparse. Where A came as doubles or sparse, X is refined to double accuracy.
  if isscalar (A) && size (B, 1) ~= 1
    X = B ./ A;
  else
    X = gpuCall ('solve', {gpuMatrix(A), gpuMatrix(B)}, 'double');
  end
end
