function C = ctranspose (A)
% ctranspose  A', the same for real matrices. A sparse matrix stays sparse.
%
%   C = gpuMatrix ([1 2; 3 4])'
  C = gpuCall ('transpose', {A}, A.class);
end
%!assert (double (ctranspose (gpuMatrix ([1 2; 3 4]))), [1 3; 2 4])
