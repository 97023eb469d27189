function S = sparse (A, storage)
% sparse  A without its zeros, for products and solvers. sparse (A, name) chooses the storage of products: 'dense', 'banded',
% 'points', 'csr', 'slots' or 'auto', which takes the one that should be fastest.
%
%   S = sparse (gpuMatrix ([1 0; 0 2]), 'csr')
  names = {'auto', 'dense', 'banded', 'points', 'csr', 'slots'};
  if nargin < 2
    storage = 'auto';
  end
  k = find (strcmpi (storage, names));
  if isempty (k)
    error ('texla:badArgument', 'sparse: there is no storage %s; auto, dense, banded, points, csr, slots', storage);
  end
  S = gpuCall ('sparse', {A, k - 1}, A.class);
end
%!test
%! a = spdiags (rand (40, 3), [-1 0 7], 40, 40); x = rand (40, 1);
%! for name = {'auto', 'dense', 'banded', 'points', 'csr', 'slots'}
%!   S = sparse (gpuMatrix (a), name{1});
%!   assert (double (S * x), a * x, 1e-5);
%!   assert (issparse (S) && issparse (S') && ~ issparse (full (S)));
%! end
