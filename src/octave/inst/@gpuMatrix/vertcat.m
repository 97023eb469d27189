function C = vertcat (varargin)
% vertcat  [A; B]: matrices below each other.
%
%   C = [gpuMatrix([1 2]); [3 4]]
  C = gpuJoin ('vertcat', varargin);
end
