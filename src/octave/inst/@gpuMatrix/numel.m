function n = numel (A, varargin)
% numel  The number of entries.
%
%   n = numel (gpuMatrix ([1 2 3]))
  n = 1;
  if nargin == 1
    n = prod (A.size);
  end
end
