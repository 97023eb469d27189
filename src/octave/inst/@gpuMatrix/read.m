function read (A)
% read  Starts to read A back as soon as it is there, so that double (A) or single (A) need not wait later. Returns at once.
%
%   A = gpuMatrix ([1 2]) + 1; read (A); x = double (A)
  if ~ A.sparse % which is on the host already
    texla_mex ('read', A.id);
  end
end
%!test
%! A = gpuMatrix (2) + 1;
%! read (A);
%! assert (double (A), 3);
