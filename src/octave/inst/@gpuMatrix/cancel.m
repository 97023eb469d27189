function cancel (A)
% cancel  The operation that makes A fails, and what depends on it, unless it has begun.
%
%   A = gpuMatrix ([1 2]) + 1; cancel (A)
  texla_mex ('cancel', A.id);
end
