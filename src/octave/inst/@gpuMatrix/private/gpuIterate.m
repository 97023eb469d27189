function [x, flag, residual, iterations] = gpuIterate (name, A, b, tolerance, most, start)
% Solves A x = b by an iteration of the queue; flag as Octave's solvers have it: 0 converged, also as exactly as double allows, 1 too many
% iterations, 3 no progress, 4 broke down. With one output nothing waits.
  if isempty (tolerance)
    tolerance = 1e-6;
  end
  if isempty (most)
    most = 0;
  end
  list = {A, b, tolerance, most, 0};
  if ~ isempty (start)
    list{6} = gpuMatrix (start);
  end
  if nargout < 2
    x = gpuCall (name, list, 'double');
    return
  end
  [x, info] = gpuCall (name, list, 'double');
  info = double (info);
  flags = [4, 0, 3, 1, 4, 4, 4, 3, 4, 4, 4, 1, 0];
  flag = flags(info(1) + 1);
  residual = info(2);
  iterations = info(3);
end
