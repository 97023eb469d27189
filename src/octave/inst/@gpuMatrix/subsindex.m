function k = subsindex (A)
% subsindex  A as an index of an ordinary matrix: waits for the values.
%
%   x = [5 6 7]; y = x(gpuMatrix ([3 1]))
  if strcmp (A.class, 'logical')
    k = find (logical (A)) - 1;
  else
    k = double (A) - 1;
  end
end
