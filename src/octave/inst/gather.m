function varargout = gather (varargin)
% gather  The values of a gpuMatrix as an ordinary matrix; what is one already is returned as it is.
%
%   [x, y] = gather (gpuMatrix ([1 2]), 3)
  varargout = varargin;
  for k = 1:numel (varargin)
    if isa (varargin{k}, 'gpuMatrix')
      varargout{k} = gather (varargin{k});
    end
  end
end
%!assert (gather (2), 2)
%!assert (gather (gpuMatrix (2)), 2)
