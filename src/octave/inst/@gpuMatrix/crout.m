function [L, U] = crout (A, varargin)
% crout  [L, U] = crout (A): A = L U without pivoting, U has ones on its diagonal. Z = crout (A): L + U - eye. Options, as name and
% value: 'section' rows (0: chosen), 'order' 'antidiagonal' or 'sequential', 'sweep' 'tiles' or 'entries', 'tolerance' of entries.
%
%   [L, U] = crout (gpuMatrix ([4 2; 2 10]))
  numbers = [0 0 0 0];
  if mod (numel (varargin), 2)
    error ('crout: an option has no value; options are section, order, sweep, tolerance');
  end
  for k = 1:2:numel (varargin)
    [place, value] = gpuCroutOption (varargin{k}, varargin{k + 1});
    numbers(place) = value;
  end
  L = gpuCall ('crout', {A, numbers(1), numbers(2), numbers(3), numbers(4)}, 'single');
  if nargout > 1
    U = triu (L, 1) + gpuMatrix ('eye', A.size(1));
    L = tril (L);
  end
end
%!test
%! a = single ([4 2 -2; 2 10 2; -2 2 6]);
%! [L, U] = crout (gpuMatrix (a));
%! assert (single (L), single ([4 0 0; 2 9 0; -2 3 4]), 1e-5);
%! assert (single (U), single ([1 .5 -.5; 0 1 1/3; 0 0 1]), 1e-5);
%! [L, U] = crout (gpuMatrix (a), 'section', 2, 'order', 'sequential', 'sweep', 'entries', 'tolerance', 0);
%! assert (single (L * U), a, 1e-5);
%! assert (single (crout (gpuMatrix (a))), single ([4 .5 -.5; 2 9 1/3; -2 3 4]), 1e-5);
%!error <order> crout (gpuMatrix (eye (3)), 'order', 'backwards')
%!error <no value> crout (gpuMatrix (eye (3)), 'section')
