function kind = gpuCommon (varargin)
% The class of a matrix into which values of these go: 'logical' of logical ones alone, 'double' where all are known in double.
  kind = 'logical';
  for k = 1:nargin
    x = varargin{k};
    own = class (x);
    if isa (x, 'gpuMatrix')
      own = x.class;
    end
    if strcmp (own, 'logical') && (strcmp (kind, 'logical') || ~ isa (x, 'gpuMatrix'))
      continue
    elseif strcmp (own, 'double') && (k == 1 || ~ strcmp (kind, 'single'))
      kind = 'double';
    else
      kind = 'single';
      return
    end
  end
end
