function r = issparse (A)
% issparse  Is A a sparse matrix, for products and solvers?
%
%   t = issparse (gpuMatrix (speye (2)))
  r = A.sparse;
end
%!assert (issparse (gpuMatrix (speye (3))) && ~ issparse (gpuMatrix (eye (3))))
