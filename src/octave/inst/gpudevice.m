function gpudevice (k)
% gpudevice  Goes on with another device: its index in the list of `texla info`, or a name ('llvmpipe', 'auto'). All gpuMatrix values
% are lost.
%
%   gpudevice (0)
  if isnumeric (k)
    k = sprintf ('%d', k);
  end
  texla_mex ('device', k);
end
%!test
%! gpudevice ('auto');
%! assert (double (gpuMatrix (1) + 1), 2);
