function A = gpulinspace (varargin)
% gpulinspace  linspace (a, b, n), made on the device.
%
%   A = gpulinspace (0, 1, 5)
  A = gpuMatrix ('linspace', varargin{:});
end
%!assert (double (gpulinspace (0, 1, 5)), linspace (0, 1, 5))
