function C = full (A)
% full  A with its zeros.
%
%   C = full (gpuMatrix (sparse ([1 0; 0 2])))
  C = A;
  if A.sparse
    C = gpuCall ('full', {A}, A.class);
  end
end
