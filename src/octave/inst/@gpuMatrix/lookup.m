function k = lookup (table, x)
% lookup  How many entries of the sorted vector `table` are at most x, entry by entry.
%
%   k = lookup ([1 2 3], gpuMatrix ([0.5 2 2.5]))
  if isvector (table) && numel (table) > 1 && double (gpuIndex (gpuMatrix (table), {1})) > double (gpuIndex (gpuMatrix (table), {numel(table)}))
    error ('texla:unsupported', 'lookup: descending tables are not available for gpuMatrix, use lookup (double (A))');
  end
  k = gpuFloor (table, x);
end
%!assert (double (lookup ([1 2 3], gpuMatrix ([0.5 2 2.5 9]))), lookup ([1 2 3], [0.5 2 2.5 9]))
