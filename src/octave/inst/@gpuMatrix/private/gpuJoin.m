function C = gpuJoin (name, parts)
% horzcat or vertcat, two at a time. Parts of 0 x 0 fit everything, and add nothing.
  parts = parts(~ cellfun (@(x) isequal (size (x), [0, 0]), parts));
  if isempty (parts)
    C = gpuMatrix ([]);
    return
  end
  C = gpuMatrix (parts{1});
  for k = 2:numel (parts)
    C = gpuCall (name, {C, parts{k}}, gpuCommon (C, parts{k}));
  end
end
