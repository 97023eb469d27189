function gpusave (file, varargin)
% gpusave  gpusave (file, 'a', A, 'b', B) writes matrices under names; those on the device are gathered. Octave 7.3 does not ask a class
% how to save its objects (saveobj), so that its own `save` cannot write a gpuMatrix.
%
%   file = tempname (); gpusave (file, 'a', gpuMatrix ([1 2])); s = gpuload (file); delete (file);
  values = struct ();
  for k = 1:2:numel (varargin) - 1
    values.(varargin{k}) = struct ('device', isa (varargin{k + 1}, 'gpuMatrix'), 'value', gather (varargin{k + 1}));
  end
  texla_saved = values; % the name in the file
  save (file, '-v7', 'texla_saved');
end
%!test
%! file = [tempname() '.mat'];
%! gpusave (file, 'a', gpuMatrix (single ([1 2])), 'b', sparse ([1 0; 0 2]), 'c', gpuMatrix (speye (3)));
%! s = gpuload (file);
%! delete (file);
%! assert (isa (s.a, 'gpuMatrix') && isequal (gather (s.a), single ([1 2])));
%! assert (isequal (s.b, sparse ([1 0; 0 2])) && issparse (s.c));
