function r = ready (A)
% ready  True when the value of A is there (after read (A): and has been read back). Fails where its operation has failed.
  r = texla_mex ('wait', A.id, 0);
end
