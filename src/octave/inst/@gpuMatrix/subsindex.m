function k = subsindex (A)
% subsindex  A as an index of an ordinary matrix: waits for the values.
  if strcmp (A.class, 'logical')
    k = find (logical (A)) - 1;
  else
    k = double (A) - 1;
  end
end
