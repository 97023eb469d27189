function gpuWaitAtMost (A, seconds, name)
% An error where A's value is not there after so many seconds.
  if ~wait (A, seconds)
    error ('texla:timeout', '%s: the value is not there after %g s; wait longer, or go on and ask again', name, seconds);
  end
end
