function X = mldivide (A, B)
% mldivide  A \ B, dense or sparse. Where A came as doubles or sparse, X is refined to double accuracy. With more rows than columns the
% solution of least squares, with fewer the shortest one, both to double accuracy.
  if isscalar (A) && size (B, 1) ~= 1
    X = B ./ A;
  else
    X = gpuCall ('solve', {gpuMatrix(A), gpuMatrix(B)}, 'double');
  end
end
%!test
%! a = [4 1 2; 1 5 3; 2 1 9]; b = [1 2; 3 4; 5 7];
%! assert (double (gpuMatrix (a) \ b), a \ b, 1e-14);
%! assert (double (gpuMatrix (a(:, 1:2)) \ b), a(:, 1:2) \ b, 1e-13);
%! assert (double (gpuMatrix (a(1:2, :)) \ b(1:2, :)), a(1:2, :) \ b(1:2, :), 1e-13);
