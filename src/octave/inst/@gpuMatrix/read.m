function read (A)
% read  Starts to read A back as soon as it is there, so that double (A) or single (A) need not wait later. Returns at once.
  texla_mex ('read', A.id);
end
