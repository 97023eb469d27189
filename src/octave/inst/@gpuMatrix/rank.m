function r = rank (A)
% rank  The number of pivots of the reduced row echelon form, in single precision.
  [~, ~, r] = gpuCall ('rref', {A}, 'single');
end
