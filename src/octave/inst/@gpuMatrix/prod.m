function s = prod (A, varargin)
% prod  Along a dimension, by default the first one that is not 1.
%
%   p = prod (gpuMatrix ([1 2; 3 4]))
  s = gpuReduce ('prod', 1, A, varargin{:});
end
