function id = gpuId (A)
% gpuId  The id of A's value in the queue.
%
%   k = gpuId (gpuMatrix (1))
  id = A.id;
end
