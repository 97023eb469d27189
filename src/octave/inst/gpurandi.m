function A = gpurandi (varargin)
% gpurandi  The gpuMatrix of the same size as randi (varargin{:}), made on the device.
%
%   A = gpurandi (6, 3, 2)
  A = gpuMatrix ('randi', varargin{:});
end
%!test
%! x = double (gpurandi ([2 4], 100, 50));
%! assert (unique (x(:))', 2:4);
