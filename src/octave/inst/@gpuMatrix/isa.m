function r = isa (A, name)
% isa  A gpuMatrix is also a 'float' and 'numeric' (unless it is logical).
%
%   t = isa (gpuMatrix (1), 'float')
  r = any (strcmp (name, {'gpuMatrix'})) || (~ strcmp (A.class, 'logical') && any (strcmp (name, {'float', 'numeric'})));
end
