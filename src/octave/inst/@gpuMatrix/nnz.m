function n = nnz (A)
% nnz  The number of entries that are not 0.
%
%   n = nnz (gpuMatrix ([0 3 4]))
  if A.sparse
    n = gpuMatrix (nnz (double (A)));
  else
    n = sum (sum (A ~= 0, 1), 2);
  end
end
%!assert (double (nnz (gpuMatrix ([1 0; 0 4]))), 2)
%!assert (double (nnz (gpuMatrix (sparse ([1 0; 0 4])))), 2)
