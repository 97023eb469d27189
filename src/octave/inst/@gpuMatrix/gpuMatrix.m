function A = gpuMatrix (x, varargin)
% gpuMatrix  A matrix on the graphics card.
%
%   A = gpuMatrix ([1 2; 3 4])             % a copy of a real matrix, dense or sparse
%   A = gpuMatrix ('zeros', 2, 3)          % also 'ones', 'eye', 'rand', 'randn'; 'randi', limit, m, n
%   A = gpuMatrix ('linspace', 0, 1, 5)
%
% Operations on it run in the background and return at once; double (A), single (A) and disp wait for the result. Values are
% in single precision; of a double or sparse x the doubles are kept, also in its transposes, slices and concatenations, and A \ b is
% as accurate as Octave's own.
%
% See also gpuinfo, gpustats, gpudevice, texla_mg.
  if nargin == 0
    x = [];
  end
  if ischar (x) && strcmp (x, '#id') % for the class itself: an id with its shape and class
    s = varargin{2};
    A = struct ('id', varargin{1}, 'size', s(1:2), 'class', varargin{3}, 'sparse', s(3) ~= 0, 'hold', []);
    if A.sparse && ~ strcmp (A.class, 'logical')
      A.class = 'double';
    end
    A.hold = onCleanup (@() texla_mex ('release', varargin{1}));
    A = class (A, 'gpuMatrix');
  elseif ischar (x)
    A = gpuNew (x, varargin{:});
  elseif isa (x, 'gpuMatrix')
    A = x;
  elseif isnumeric (x) || islogical (x)
    A = gpuPut (x);
  else
    error ('texla:badArgument', 'gpuMatrix: a real matrix is needed, not a %s', class (x));
  end
end
%!test
%! assert (double (gpuMatrix ([1 2; 3 4])), [1 2; 3 4]);
%! assert (class (gather (gpuMatrix (single (1)))), 'single');
%! A = gpuMatrix ('linspace', 1, 2, 3);
%! assert (double (A), [1 1.5 2]);
%!error <complex> gpuMatrix (1i)
%!demo
%! % a pipeline: every line returns at once, double waits
%! A = gpuMatrix (rand (500));
%! B = gpuMatrix (rand (500));
%! C = A * B;
%! D = C * C;
%! read (D);                    % read back as soon as it is there
%! printf ('is D there already? %d\n', ready (D));
%! d = double (D);
%! a = double (A); b = double (B);
%! printf ('relative error %g\n', norm (d - (a * b)^2, 1) / norm (d, 1));
