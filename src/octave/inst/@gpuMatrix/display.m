function display (A)
% display  Shows name, size and values.
%
%   display (gpuMatrix ([1 2; 3 4]))
  fprintf ('%s = gpuMatrix, %d x %d, %s\n\n', inputname (1), A.size(1), A.size(2), A.class);
  disp (A);
  fprintf ('\n');
end
