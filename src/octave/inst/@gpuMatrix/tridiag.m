function X = tridiag (a, b, c, D, how)
% tridiag  See the function tridiag.
%
%   X = tridiag (-1, 4, -1, gpuMatrix (ones (5, 3)))
  if nargin < 5
    how = '';
  end
  D = gpuMatrix (D);
  list = {a, b, c};
  for k = 1:3
    if isscalar (list{k})
      list{k} = double (list{k});
    end
  end
  X = gpuCall ('tridiagonal', [list, {D, double(strcmp (how, 'periodic'))}], 'double');
end
