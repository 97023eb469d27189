function r = colon (a, varargin)
% colon  a:b and a:step:b with a gpuMatrix among them: an ordinary row. Waits.
%
%   k = gpuMatrix (1):2:5
  for k = 1:numel (varargin)
    varargin{k} = double (varargin{k});
  end
  r = colon (double (a), varargin{:});
end
%!assert (1:gpuMatrix (3), 1:3)
