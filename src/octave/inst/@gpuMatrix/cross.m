function C = cross (A, B, dim)
% cross  The vector product along a dimension of three.
%
%   c = cross (gpuMatrix ([1 0 0]), [0 1 0])
  A = gpuMatrix (A);
  B = gpuMatrix (B);
  if nargin < 3
    dim = find (size (A) == 3, 1);
  end
  if isempty (dim) || ~ isequal (size (A), size (B)) || size (A, dim) ~= 3
    error ('texla:nonconformant', 'cross: A is %d x %d and B %d x %d (need the same sizes, one of them 3)', A.size, B.size);
  end
  p = {':', ':'};
  q = p;
  p{dim} = [2 3 1];
  q{dim} = [3 1 2];
  C = gpuIndex (A, p) .* gpuIndex (B, q) - gpuIndex (A, q) .* gpuIndex (B, p);
end
%!assert (double (cross (gpuMatrix ([1 2 3]), [4 5 7])), cross ([1 2 3], [4 5 7]))
