function C = squeeze (A)
% squeeze  A itself: it has two dimensions.
  C = A;
end
