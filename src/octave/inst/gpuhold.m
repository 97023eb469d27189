function gpuhold (on)
% gpuhold  gpuhold (true): no further operation begins until gpuhold (false).
  texla_mex ('hold', on);
end
