function s = gpuload (file)
% gpuload  A structure of the matrices that gpusave wrote; those that were on the device are on it again.
%
%   file = tempname (); gpusave (file, 'a', gpuMatrix ([1 2])); s = gpuload (file); delete (file);
  saved = load (file);
  names = fieldnames (saved.texla_saved);
  s = struct ();
  for k = 1:numel (names)
    entry = saved.texla_saved.(names{k});
    s.(names{k}) = entry.value;
    if entry.device
      s.(names{k}) = gpuMatrix (entry.value);
    end
  end
end
%!test
%! file = [tempname() '.mat'];
%! gpusave (file, 'x', gpuMatrix (pi));
%! assert (double (gpuload (file).x), pi);
%! delete (file);
