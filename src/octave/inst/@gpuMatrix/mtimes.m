function C = mtimes (A, B)
% mtimes  A * B, the matrix product; a sparse A stays sparse.
%
%   C = gpuMatrix ([1 2; 3 4]) * [1; 1]
  if isscalar (A) || isscalar (B)
    C = A .* B;
  else
    C = gpuCall ('multiply', {A, B}, 'single');
  end
end
