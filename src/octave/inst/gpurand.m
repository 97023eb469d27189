function A = gpurand (varargin)
% gpurand  The gpuMatrix of the same size as rand (varargin{:}), made on the device.
%
%   A = gpurand (2, 3)
  A = gpuMatrix ('rand', varargin{:});
end
%!test
%! x = double (gpurand (20, 10));
%! assert (size (x), [20 10]);
%! assert (all (x(:) > 0 & x(:) < 1));
