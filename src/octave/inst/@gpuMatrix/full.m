function C = full (A)
% full  A with its zeros.
  C = A;
  if A.sparse
    C = gpuCall ('full', {A}, A.class);
  end
end
