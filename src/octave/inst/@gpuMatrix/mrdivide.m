function X = mrdivide (B, A)
% mrdivide  B / A for a square A.
  if isscalar (A)
    X = B ./ A;
  else
    X = (A' \ B')';
  end
end
