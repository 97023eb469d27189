function X = mrdivide (B, A)
% mrdivide  B / A, the solution of X A = B.
%
%   X = [1 2] / gpuMatrix ([4 1; 1 3])
  if isscalar (A)
    X = B ./ A;
  else
    X = (A' \ B')';
  end
end
%!test
%! a = [4 1 2; 1 5 3; 2 1 9]; b = [1 2 7; 3 4 8];
%! assert (double (b / gpuMatrix (a)), b / a, 1e-6);
