function x = double (A, seconds)
% double  The values of A as an ordinary matrix. Waits until they are there. double (A, seconds): an error if they are not there by then.
%
%   x = double (gpuMatrix ([1 2]))
  if nargin > 1
    gpuWaitAtMost (A, seconds, 'double');
  end
  x = gpuFetch (A, 'double');
end
