function p = gpurandperm (n, m)
% gpurandperm  A random permutation of 1:n, or its first m entries, made on the device.
%
%   p = gpurandperm (5)
  [~, p] = sort (gpuMatrix ('rand', 1, n));
  if nargin > 1
    p = p(1:m);
  end
end
%!assert (sort (double (gpurandperm (50))), 1:50)
%!assert (numel (gpurandperm (50, 7)), 7)
