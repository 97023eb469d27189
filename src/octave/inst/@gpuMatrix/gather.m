function varargout = gather (varargin)
% gather  The values of A as an ordinary matrix of its class; a sparse matrix stays sparse. Waits until they are there. [x, y] = gather
% (A, B) takes several.
%
%   x = gather (gpuMatrix ([1 2]))
  varargout = varargin;
  for k = 1:numel (varargin)
    if isa (varargin{k}, 'gpuMatrix')
      varargout{k} = feval (varargin{k}.class, varargin{k});
    end
  end
end
%!assert (gather (gpuMatrix (single ([1 2; 3 4]))), single ([1 2; 3 4]))
%!test
%! [x, y] = gather (gpuMatrix (1), 2);
%! assert ([x y], [1 2]);
