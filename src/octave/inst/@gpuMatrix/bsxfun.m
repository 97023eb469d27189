function C = bsxfun (f, A, B)
% bsxfun  f (A, B): operators repeat rows and columns by themselves; an anonymous function that arrayfun can compile is one shader.
%
%   C = bsxfun (@plus, gpuMatrix ([1 2]), [1; 2])
  if ischar (f)
    f = str2func (f);
  end
  C = f (A, B);
end
%!assert (double (bsxfun (@plus, gpuMatrix ([1 2]), [1; 2])), [2 3; 3 4])
