function cancel (A)
% cancel  The operation that makes A fails, and what depends on it, unless it has begun.
  texla_mex ('cancel', A.id);
end
