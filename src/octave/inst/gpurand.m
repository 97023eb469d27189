function A = gpurand (varargin)
% gpurand  The gpuMatrix of the same size as rand (varargin{:}), made on the device.
  A = gpuMatrix ('rand', varargin{:});
end
