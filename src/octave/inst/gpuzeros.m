function A = gpuzeros (varargin)
% gpuzeros  The gpuMatrix of the same size as zeros (varargin{:}), made on the device.
%
%   A = gpuzeros (2, 3)
  A = gpuMatrix ('zeros', varargin{:});
end
%!assert (double (gpuzeros (2, 3)), zeros (2, 3))
