function C = full (A)
% full  A with its zeros.
  C = A;
  if A.sparse
    C = gpuCall ('times', {A, 1}, A.class);
  end
end
