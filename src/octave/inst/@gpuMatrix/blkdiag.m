function C = blkdiag (varargin)
% blkdiag  Matrices along the diagonal of one.
%
%   C = blkdiag (gpuMatrix ([1 2]), 3)
  C = gpuMatrix (varargin{1});
  for k = 2:numel (varargin)
    B = gpuMatrix (varargin{k});
    c = C.size;
    b = B.size;
    if C.sparse || B.sparse
      right = sparse (c(1), b(2));
      left = sparse (b(1), c(2));
    else
      right = zeros (c(1), b(2));
      left = zeros (b(1), c(2));
    end
    C = vertcat (horzcat (C, gpuMatrix (right)), horzcat (gpuMatrix (left), B));
  end
end
%!assert (double (blkdiag (gpuMatrix ([1 2]), 3, [4; 5])), blkdiag ([1 2], 3, [4; 5]))
