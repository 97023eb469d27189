function A = gpueye (varargin)
% gpueye  The gpuMatrix of the same size as eye (varargin{:}), made on the device.
%
%   A = gpueye (2, 3)
  A = gpuMatrix ('eye', varargin{:});
end
%!assert (double (gpueye (2, 3)), eye (2, 3))
