function C = reshape (A, varargin)
% reshape  reshape (A, m, n), reshape (A, [m n]); one of m and n may be [].
%
%   C = reshape (gpuMatrix (1:6), [], 2)
  s = varargin;
  if numel (s) == 1
    s = num2cell (s{1});
  end
  if numel (s) ~= 2
    error ('texla:unsupported', 'reshape: arrays of more than two dimensions are not supported');
  end
  total = prod (A.size);
  for k = 1:2
    if isempty (s{k})
      s{k} = total / double (s{3 - k});
    end
  end
  C = gpuCall ('reshape', [{A}, s], A.class);
end
