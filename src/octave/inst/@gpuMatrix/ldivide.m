function C = ldivide (A, B)
% ldivide  A .\ B
%
%   C = gpuMatrix ([1 2]) .\ [3 4]
  C = B ./ A;
end
