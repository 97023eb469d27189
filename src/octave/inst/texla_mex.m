function varargout = texla_mex (varargin)
% texla_mex  The gateway between the class gpuMatrix and texla, a MEX file beside this text. Users want gpuMatrix.
%
%   texla_mex ('operations');
  error ('texla:notBuilt', 'texla_mex: the MEX file is not built, see docs/octave.md');
end
%!error <argument|command|operations> texla_mex ('no such command')
