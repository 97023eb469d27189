function A = gpuLike (name, args)
% The matrix that name (m, n, 'like', B) makes, where a gpuMatrix B has chosen the method of this class: what is numeric and no gpuMatrix
% is its size (of randi also the limit before it).
  numbers = cellfun (@(x) isnumeric (x) && ~ isa (x, 'gpuMatrix'), args);
  A = gpuNew (name, args{numbers});
end
