function x = double (A)
% double  The values of A as an ordinary matrix. Waits until they are there.
%
%   x = double (gpuMatrix ([1 2]))
  x = gpuFetch (A, 'double');
end
