function C = xor (A, B)
% xor  True where exactly one of both is not 0.
%
%   t = xor (gpuMatrix ([0 1]), [1 1])
  C = (A ~= 0) ~= (B ~= 0);
end
%!assert (double (xor (gpuMatrix ([1 0 1 0]), [1 1 0 0])), [0 1 1 0])
