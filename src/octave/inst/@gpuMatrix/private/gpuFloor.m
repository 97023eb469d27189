function k = gpuFloor (table, x)
% How many entries of a sorted vector are at most x, entry by entry; 0 of NaN.
  k = gpuCall ('lookup', {gpuMatrix(table), gpuMatrix(x)}, 'double');
end
