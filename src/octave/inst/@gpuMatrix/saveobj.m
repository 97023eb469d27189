function s = saveobj (A)
% saveobj  A gpuMatrix cannot be saved: its values are on the device.
  error ('texla:save', 'save: a gpuMatrix cannot be saved; save double (A) instead');
end
