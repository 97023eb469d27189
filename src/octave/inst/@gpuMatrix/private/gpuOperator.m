function y = gpuOperator (A, x)
% A x, where A is a matrix or a function of a column.
  if isa (A, 'function_handle')
    y = A (x);
  else
    y = A * x;
  end
end
