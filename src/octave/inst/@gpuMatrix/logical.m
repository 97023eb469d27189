function x = logical (A)
% logical  The values of A as an ordinary logical matrix. Waits until they are there.
  x = gpuFetch (A, 'double') ~= 0;
end
