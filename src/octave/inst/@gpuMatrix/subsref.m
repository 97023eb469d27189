function varargout = subsref (A, s)
% subsref  A(i, j), A(k), A(:), with ranges, masks and end.
%
%   A = gpuMatrix ([1 2; 3 4]); C = A(:, 2)
  if ~ strcmp (s(1).type, '()')
    error ('texla:badIndex', 'a gpuMatrix is indexed with (), not with %s', s(1).type);
  end
  C = A;
  if ~ isempty (s(1).subs)
    C = gpuIndex (A, s(1).subs);
  end
  if numel (s) > 1
    C = subsref (C, s(2:end));
  end
  varargout{1} = C;
end
