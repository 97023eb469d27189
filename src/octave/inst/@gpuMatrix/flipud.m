function C = flipud (A)
% flipud  The rows in reverse order.
%
%   C = flipud (gpuMatrix ([1 2; 3 4]))
  C = gpuIndex (A, {A.size(1):-1:1, ':'});
end
%!assert (double (flipud (gpuMatrix ([1 2; 3 4]))), flipud ([1 2; 3 4]))
