function C = blkdiag (varargin)
% blkdiag  Matrices along the diagonal of one.
%
%   C = blkdiag (gpuMatrix ([1 2]), 3)
  C = gpuMatrix (varargin{1});
  for k = 2:numel (varargin)
    B = gpuMatrix (varargin{k});
    c = C.size;
    b = B.size;
    C = vertcat (horzcat (C, gpuMatrix (zeros (c(1), b(2)))), horzcat (gpuMatrix (zeros (b(1), c(2))), B));
  end
end
%!assert (double (blkdiag (gpuMatrix ([1 2]), 3, [4; 5])), blkdiag ([1 2], 3, [4; 5]))
