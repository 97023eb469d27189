function C = mtimes (A, B)
% mtimes  A * B, the matrix product; a sparse A stays sparse.
  if isscalar (A) || isscalar (B)
    C = A .* B;
  else
    C = gpuCall ('multiply', {A, B}, 'single');
  end
end
