function [R, k] = rref (A, tolerance)
% rref  The reduced row echelon form; k: the columns of the pivots (waits for them).
%
%   R = rref (gpuMatrix ([1 2 3; 4 5 6]))
  list = {A};
  if nargin > 1
    list{2} = tolerance;
  end
  if nargout < 2
    R = gpuCall ('rref', list, 'single');
  else
    [R, k] = gpuCall ('rref', list, 'single');
    k = double (k);
    k = k(k > 0);
  end
end
