function A = gpurandn (varargin)
% gpurandn  The gpuMatrix of the same size as randn (varargin{:}), made on the device.
%
%   A = gpurandn (3, 2)
  A = gpuMatrix ('randn', varargin{:});
end
%!test
%! x = double (gpurandn (300, 200));
%! assert (abs (mean (x(:))) < 0.02 && abs (std (x(:)) - 1) < 0.02);
