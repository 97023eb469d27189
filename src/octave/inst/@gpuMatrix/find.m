function [i, j, v] = find (A, varargin)
% find  Where entries are not 0, as Octave's own find has it. Waits for the values, on which the size depends.
%
%   k = find (gpuMatrix ([0 3 4]))
  x = gather (A);
  if nargout < 2
    i = gpuMatrix (find (x, varargin{:}));
  else
    [i, j, v] = find (x, varargin{:});
    i = gpuMatrix (i);
    j = gpuMatrix (j);
    v = gpuMatrix (v);
  end
end
%!test
%! A = gpuMatrix ([0 1 0; 2 0 3]);
%! assert (double (find (A)), [2; 3; 6]);
%! [i, j, v] = find (A);
%! assert ([double(i), double(j), double(v)], [2 1 2; 1 2 1; 2 3 3]);
