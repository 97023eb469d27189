function A = gpuNew (name, varargin)
% zeros, ones, eye, rand (m, n) and linspace (a, b, n)
  if strcmp (name, 'linspace')
    n = 100;
    if numel (varargin) > 2
      n = varargin{3};
    end
    A = gpuCall ('linspace', {varargin{1}, 1, n, varargin{2}}, 'single');
    return
  end
  s = [varargin{:}];
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
    otherwise
      error ('texla:badArgument', 'gpuMatrix: there is no ''%s''; zeros, ones, eye, rand, linspace', name);
  end
end
