function r = ready (A)
% ready  True when the value of A is there (after read (A): and has been read back). Fails where its operation has failed.
%
%   t = ready (gpuMatrix (1))
  r = texla_mex ('wait', A.id, 0);
end
