function C = repmat (A, m, n)
% repmat  Copies of A below and beside each other.
%
%   C = repmat (gpuMatrix ([1 2]), 2, 3)
  if nargin < 3
    if numel (m) == 2
      n = m(2);
      m = m(1);
    else
      n = m;
    end
  end
  C = gpuCall ('repmat', {A, m, n}, A.class);
end
