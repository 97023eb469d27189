function r = wait (A, seconds)
% wait  Waits until the value of A is there, at most so many seconds; false when the time is over.
%
%   t = wait (gpuMatrix (1), 10)
  if nargin < 2
    seconds = Inf;
  end
  start = tic;
  r = texla_mex ('wait', A.id, min (seconds, 0.1));
  while ~ r && toc (start) < seconds
    r = texla_mex ('wait', A.id, max (min (seconds - toc (start), 0.1), 0));
  end
end
