function C = ldivide (A, B)
% ldivide  A .\ B
  C = B ./ A;
end
