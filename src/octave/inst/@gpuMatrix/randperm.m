function p = randperm (n, varargin)
% randperm  A random permutation on the device, where n is a gpuMatrix.
%
%   p = randperm (gpuMatrix (5))
  m = cellfun (@double, varargin, 'UniformOutput', false);
  p = gpurandperm (double (n), m{:});
end
%!assert (sort (double (randperm (gpuMatrix (9)))), 1:9)
