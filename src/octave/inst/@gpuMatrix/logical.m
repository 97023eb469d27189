function x = logical (A)
% logical  The values of A as an ordinary logical matrix. Waits until they are there.
%
%   t = logical (gpuMatrix ([0 2]))
  x = gpuFetch (A, 'double') ~= 0;
end
