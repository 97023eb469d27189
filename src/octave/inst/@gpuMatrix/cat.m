function C = cat (dim, varargin)
% cat  cat (1, ...) below, cat (2, ...) beside each other.
%
%   C = cat (1, gpuMatrix ([1 2]), [3 4])
  if dim == 1
    C = vertcat (varargin{:});
  elseif dim == 2
    C = horzcat (varargin{:});
  else
    error ('texla:unsupported', 'cat: arrays of more than two dimensions are not supported');
  end
end
