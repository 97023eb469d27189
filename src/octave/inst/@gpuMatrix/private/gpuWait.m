function gpuWait (id)
% Waits in slices, so that Ctrl-C interrupts.
  while ~ texla_mex ('wait', id, 0.1)
  end
end
