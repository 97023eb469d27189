function C = permute (A, order)
% permute  permute (A, [2 1]) is the transpose.
%
%   C = permute (gpuMatrix ([1 2; 3 4]), [2 1])
  if isequal (order, [2 1])
    C = A.';
  elseif isequal (order, [1 2])
    C = A;
  else
    error ('texla:unsupported', 'permute: arrays of more than two dimensions are not supported');
  end
end
%!assert (double (permute (gpuMatrix ([1 2; 3 4]), [2 1])), [1 3; 2 4])
