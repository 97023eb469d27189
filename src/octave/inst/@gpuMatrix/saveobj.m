function s = saveobj (A)
% saveobj  A gpuMatrix cannot be saved: its values are on the device.
%
%   file = tempname (); gpusave (file, 'a', gpuMatrix ([1 2])); delete (file);
  error ('texla:save', 'save: a gpuMatrix cannot be saved; save double (A) instead');
end
