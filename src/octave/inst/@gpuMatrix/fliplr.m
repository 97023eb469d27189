function C = fliplr (A)
% fliplr  The columns in reverse order.
%
%   C = fliplr (gpuMatrix ([1 2; 3 4]))
  C = gpuIndex (A, {':', A.size(2):-1:1});
end
%!assert (double (fliplr (gpuMatrix ([1 2; 3 4]))), fliplr ([1 2; 3 4]))
