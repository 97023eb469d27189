function A = gpuNew (name, varargin)
% zeros, ones, eye, rand, randn (m, n), randi (limits, m, n) and linspace (a, b, n)
  if strcmp (name, 'linspace')
    n = 100;
    if numel (varargin) > 2
      n = varargin{3};
    end
    A = gpuCall ('linspace', {varargin{1}, 1, n, varargin{2}}, 'single');
    return
  end
  if strcmp (name, 'randi')
    limit = double (varargin{1});
    varargin(1) = [];
  end
  s = double ([varargin{:}]);
  if isempty (s)
    s = 1;
  end
  if numel (s) == 1
    s = [s, s];
  end
  if numel (s) > 2
    error ('texla:unsupported', 'gpuMatrix: arrays of more than two dimensions are not supported');
  end
  switch name
    case 'zeros'
      A = gpuCall ('fill', {0, s(1), s(2)}, 'single');
    case 'ones'
      A = gpuCall ('fill', {1, s(1), s(2)}, 'single');
    case 'eye'
      A = gpuCall ('identity', {1, s(1), s(2)}, 'single');
    case 'rand'
      A = gpuCall ('random', {floor(rand * 2^24), s(1), s(2)}, 'single');
    case 'randn'
      A = gpuCall ('normal', {floor(rand * 2^24), s(1), s(2)}, 'single');
    case 'randi'
      if numel (limit) == 1
        limit = [1, limit];
      end
      count = limit(2) - limit(1) + 1;
      if ~ (count >= 1 && count <= 2^24 && all (abs (limit) <= 2^24))
        error ('texla:badArgument', 'randi: limits are %g and %g (need whole numbers up to 2^24, ascending)', limit(1), limit(2));
      end
      A = min (floor (gpuMatrix ('rand', s) * count), count - 1) + limit(1);
    otherwise
      error ('texla:badArgument', 'gpuMatrix: there is no ''%s''; zeros, ones, eye, rand, randn, randi, linspace', name);
  end
end
