function C = squeeze (A)
% squeeze  A itself: it has two dimensions.
%
%   C = squeeze (gpuMatrix ([1 2]))
  C = A;
end
