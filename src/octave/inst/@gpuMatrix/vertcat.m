function C = vertcat (varargin)
% vertcat  [A; B]: matrices below each other.
%
%   C = [gpuMatrix([1 2]); [3 4]]
  whole = cellfun (@(x) isequal (size (x), [0, 0]), varargin);
  parts = varargin(~ whole);
  if isempty (parts)
    C = gpuMatrix ([]);
    return
  end
  C = gpuMatrix (parts{1});
  for k = 2:numel (parts)
    C = gpuCall ('vertcat', {C, parts{k}}, gpuCommon (C, parts{k}));
  end
end
