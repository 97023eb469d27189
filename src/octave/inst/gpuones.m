function A = gpuones (varargin)
% gpuones  The gpuMatrix of the same size as ones (varargin{:}), made on the device.
  A = gpuMatrix ('ones', varargin{:});
end
