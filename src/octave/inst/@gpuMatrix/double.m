function x = double (A)
% double  The values of A as an ordinary matrix. Waits until they are there.
  x = gpuFetch (A, 'double');
end
