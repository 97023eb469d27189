function r = end (A, k, n)
% end  In an index: the last one.
%
%   A = gpuMatrix ([1 2 3]); x = A(end)
  if n == 1
    r = prod (A.size);
  elseif k <= 2
    r = A.size(k);
  else
    r = 1;
  end
end
