function gpuhold (on)
% gpuhold  gpuhold (true): no further operation begins until gpuhold (false).
%
%   gpuhold (true); A = gpuMatrix (1) + 1; gpuhold (false);
  texla_mex ('hold', on);
end
%!test
%! gpuhold (true);
%! A = gpuMatrix (1) + 1;
%! assert (~ ready (A));
%! gpuhold (false);
%! assert (wait (A, 60));
