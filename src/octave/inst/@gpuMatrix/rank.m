function r = rank (A)
% rank  The number of pivots of the reduced row echelon form, in single precision.
%
%   r = rank (gpuMatrix ([1 2; 2 4]))
  [~, ~, r] = gpuCall ('rref', {A}, 'single');
end
