function A = gpuResize (A, n)
% A with zeros at its end.
  if any (size (A) == 0)
    A = gpuMatrix ('zeros', n);
  else
    A = gpuCall ('resize', {A, n(1), n(2)}, A.class);
  end
end
