function X = mldivide (A, B)
% mldivide  A \ B, dense or sparse. Where A came as doubles or sparse, X is as accurate as Octave's own: single precision is refined, and
% where it cannot tell, double decides. With more rows than columns the solution of least squares, with fewer the shortest one. Octave's
% warning of a singular matrix, with rcond, comes when values are waited for; then X is the shortest solution, as Octave has it.
%
%   x = gpuMatrix ([4 1; 1 3]) \ [1; 2]
  if isscalar (A) && size (B, 1) ~= 1
    X = B ./ A;
    return
  end
  A = gpuMatrix (A);
  kind = 'single';
  if strcmp (A.class, 'double')
    kind = 'double';
  end
  X = gpuCall ('solve', {A, gpuMatrix(B), 1}, kind);
end
%!test
%! a = [4 1 2; 1 5 3; 2 1 9]; b = [1 2; 3 4; 5 7];
%! assert (double (gpuMatrix (a) \ b), a \ b, 1e-14);
%! assert (double (gpuMatrix (a(:, 1:2)) \ b), a(:, 1:2) \ b, 1e-13);
%! assert (double (gpuMatrix (a(1:2, :)) \ b(1:2, :)), a(1:2, :) \ b(1:2, :), 1e-13);
%! assert (double (gpuMatrix (a)' \ b), a' \ b, 1e-14);
%!test
%! a = hilb (9); b = ones (9, 1);
%! assert (norm (double (gpuMatrix (a) \ b) - a \ b) <= 1e-3 * norm (a \ b));
%!warning <rcond> double (gpuMatrix (hilb (13)) \ ones (13, 1));
%!warning <singular> double (gpuMatrix (ones (3)) \ ones (3, 1));
