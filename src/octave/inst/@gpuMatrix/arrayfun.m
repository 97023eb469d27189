function varargout = arrayfun (f, varargin)
% arrayfun  f (a, b, c) for each entry: an anonymous function of operators and elementary functions becomes one shader, with scalars as
% its arguments (so * is .*), rows and columns repeated. A handle of a function, @hypot, is called with the matrices.
%
%   C = arrayfun (@(a, b) sqrt (a ^ 2 + b ^ 2), gpuMatrix ([3 5]), [4 12])
  if ischar (f)
    f = str2func (f);
  end
  text = func2str (f);
  if ~ any (text == '(') % a name
    [varargout{1:max(nargout, 1)}] = f (varargin{:});
    return
  end
  if nargout > 1 || any (cellfun (@ischar, varargin))
    error ('texla:unsupported', 'arrayfun: one result and no options for gpuMatrix, use arrayfun (f, double (A), ...)');
  end
  varargout{1} = gpuFormula (gpuCompile (f), varargin);
end
%!test
%! a = [3 5 -1.5]; b = [4; 12]; k = 2;
%! C = arrayfun (@(u, v) sqrt (u ^ k + v ^ 2) / 2 - (u > 4) * -1e1 + min (u, v), gpuMatrix (a), b);
%! assert (double (C), sqrt (a .^ 2 + b .^ 2) / 2 + (a > 4) * 10 + min (a, b), 1e-5);
%! assert (double (arrayfun (@(x) x != 3 && ! (x < 0) || x == 3, gpuMatrix (a))), [1 1 0]);
%! assert (double (arrayfun (@hypot, gpuMatrix (3), 4)), 5);
%!error <not available> arrayfun (@(x) cumsum (x), gpuMatrix (1))
