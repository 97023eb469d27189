function A = gpulinspace (varargin)
% gpulinspace  linspace (a, b, n), made on the device.
  A = gpuMatrix ('linspace', varargin{:});
end
