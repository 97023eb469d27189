function z = gpuPrecondition (M1, M2, r)
% M2^-1 M1^-1 r in single precision: functions are applied, matrices are solved with, [] is the identity.
  z = r;
  for M = {M1, M2}
    if isa (M{1}, 'function_handle')
      z = M{1} (z);
    elseif ~ isempty (M{1})
      z = gpuMatrix (M{1}) \ z;
    end
  end
  z = z + 0;
end
