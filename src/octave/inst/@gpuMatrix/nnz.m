function n = nnz (A)
% nnz  The number of entries that are not 0.
  n = sum (sum (A ~= 0, 1), 2);
end
%!assert (double (nnz (gpuMatrix ([1 0; 0 4]))), 2)
