function s = std (A, varargin)
% std  The standard deviation along a dimension: the root of var (A, how, dim).
%
%   s = std (gpuMatrix ([1 2; 3 5]))
  s = sqrt (var (A, varargin{:}));
end
%!assert (single (std (gpuMatrix (single ([1 2 4; 3 9 5])))), std (single ([1 2 4; 3 9 5])), 1e-5)
