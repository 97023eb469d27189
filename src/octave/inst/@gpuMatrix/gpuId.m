function id = gpuId (A)
% gpuId  The id of A's value in the queue.
  id = A.id;
end
