function A = gpuones (varargin)
% gpuones  The gpuMatrix of the same size as ones (varargin{:}), made on the device.
%
%   A = gpuones (2, 3)
  A = gpuMatrix ('ones', varargin{:});
end
%!assert (double (gpuones (2, 3)), ones (2, 3))
