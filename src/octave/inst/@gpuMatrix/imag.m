function C = imag (A)
% imag  Zeros: entries are real.
%
%   C = imag (gpuMatrix ([1 2]))
  C = gpuMatrix ('zeros', A.size);
end
%!assert (double (imag (gpuMatrix ([1 2]))), [0 0])
