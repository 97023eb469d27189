function gpudrain ()
% gpudrain  Waits until all operations are done.
%
%   gpudrain
  while ~ texla_mex ('drain', 0.1)
  end
end
%!test
%! A = gpuMatrix (1) + 1;
%! gpudrain ();
%! assert (ready (A));
