function r = isa (A, name)
% isa  A gpuMatrix is also a 'float' and 'numeric' (unless it is logical).
  r = any (strcmp (name, {'gpuMatrix'})) || (~ strcmp (A.class, 'logical') && any (strcmp (name, {'float', 'numeric'})));
end
