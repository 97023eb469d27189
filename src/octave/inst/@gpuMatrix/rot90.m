function C = rot90 (A, k)
% rot90  Turned by k times 90 degrees, counter-clockwise.
%
%   C = rot90 (gpuMatrix ([1 2; 3 4]))
  if nargin < 2
    k = 1;
  end
  switch mod (k, 4)
    case 0
      C = A;
    case 1
      C = flipud (A');
    case 2
      C = flipud (fliplr (A));
    otherwise
      C = fliplr (A');
  end
end
%!test
%! for k = -1:4
%!   assert (double (rot90 (gpuMatrix ([1 2 3; 4 5 6]), k)), rot90 ([1 2 3; 4 5 6], k));
%! end
