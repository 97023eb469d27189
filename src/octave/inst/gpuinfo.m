function s = gpuinfo ()
% gpuinfo  The device: a structure with renderer, vendor, version, platform, the version of texla, and whether it is software.
%
%   i = gpuinfo ()
  s = texla_mex ('info');
end
%!assert (ischar (gpuinfo ().renderer) && islogical (gpuinfo ().software))
