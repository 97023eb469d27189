function A = linspace (a, b, n)
% linspace  A row on the device; a or b is a gpuMatrix of one entry.
%
%   A = linspace (gpuMatrix (0), 1, 5)
  if nargin < 3
    n = 100;
  end
  A = gpuMatrix ('linspace', double (a), double (b), double (n));
end
