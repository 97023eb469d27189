function [S, i] = sortrows (A, c)
% sortrows  Rows in order of the columns c, negative ones descending; all of them by default. [S, i]: S = A(i, :).
%
%   S = sortrows (gpuMatrix ([3 1; 1 2; 1 1]))
  if nargin < 2
    c = 1:size (A, 2);
  end
  i = (1:size (A, 1))';
  for k = flip (c(:)') % stable: the least important one first
    how = 'ascend';
    if k < 0
      how = 'descend';
    end
    [~, p] = sort (gpuIndex (A, {i, abs(k)}), 1, how);
    i = i(double (p));
  end
  S = gpuIndex (A, {i, ':'});
end
%!test
%! a = [3 1 2; 1 2 5; 1 1 9; 3 1 1; 1 2 0];
%! for c = {1:3, 2, [2 -1], [-3]}
%!   [s, i] = sortrows (a, c{1}); [S, I] = sortrows (gpuMatrix (a), c{1});
%!   assert (double (S), s); assert (I, i);
%! end
