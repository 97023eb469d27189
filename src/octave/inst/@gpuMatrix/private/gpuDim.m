function dim = gpuDim (s)
% The first dimension that is not 1, as Octave chooses it.
  dim = 1;
  if s(1) == 1
    dim = 2;
  end
end
