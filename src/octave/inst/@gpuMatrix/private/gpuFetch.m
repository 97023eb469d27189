function x = gpuFetch (A, type)
% A's values on the host; those of a sparse matrix as one.
  x = '';
  while ischar (x) % not there yet; between the tries Ctrl-C is honoured
    x = texla_mex ('fetch', A.id, type, 0.1);
  end
end
