function x = single (A)
% single  The values of A as an ordinary matrix. Waits until they are there.
  x = gpuFetch (A, 'single');
end
