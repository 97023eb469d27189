function varargout = size (A, k)
% size  As for ordinary matrices; known at once.
%
%   [m, n] = size (gpuMatrix ([1 2 3]))
  s = A.size;
  if nargin > 1
    s = [s, ones(1, max (k))];
    varargout{1} = s(k);
  elseif nargout < 2
    varargout{1} = s;
  else
    s = num2cell ([s, ones(1, nargout)]);
    varargout = s(1:nargout);
  end
end
