function C = horzcat (varargin)
% horzcat  [A, B]: matrices beside each other.
%
%   C = [gpuMatrix([1; 2]), [3; 4]]
  C = gpuJoin ('horzcat', varargin);
end
