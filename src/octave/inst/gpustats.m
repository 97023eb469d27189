function s = gpustats ()
% gpustats  What the queue does: operations queued, running, done, failed, skipped; values alive, bytes held, bytes on the device.
%
%   s = gpustats ()
  s = texla_mex ('stats');
end
%!assert (gpustats ().values >= 0)
