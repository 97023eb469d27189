function code = gpuCompile (f)
% GLSL for an anonymous function of up to three scalars: the arguments become x, y, z, and scalars that it has captured numbers.
  text = func2str (f);
  head = regexp (text, '^@\(([^)]*)\)(.*)$', 'tokens', 'once');
  if isempty (head)
    error ('texla:unsupported', 'arrayfun: %s is not an anonymous function', text);
  end
  p = struct ('names', {strtrim(strsplit (head{1}, ','))}, 'values', struct (), 'list', {{}}, 'at', 1, 'text', text);
  w = functions (f);
  if isfield (w, 'workspace') && ~ isempty (w.workspace)
    p.values = w.workspace{1};
  end
  if numel (p.names) > 3
    error ('texla:unsupported', 'arrayfun: %s has more than three arguments', text);
  end
  p.list = regexp (head{2}, '(?:\d+(?:\.(?![*/^])\d*)?|\.\d+)(?:[eE][+-]?\d+)?|[A-Za-z_]\w*|\.\^|\.\*|\./|<=|>=|==|~=|\|\||&&|[^\s\w]', 'match');
  p.list = join_ne (p.list);
  p.list{end + 1} = '';
  [p, code] = level (p, 1);
  if ~ isempty (p.list{p.at})
    refuse (p);
  end
end

function list = join_ne (list)
% '!' followed by '=' is one operator.
  k = 1;
  while k < numel (list)
    if strcmp (list{k}, char (33)) && strcmp (list{k + 1}, '=')
      list{k} = '~=';
      list(k + 1) = [];
    elseif strcmp (list{k}, char (33))
      list{k} = '~';
    end
    k = k + 1;
  end
end

function refuse (p)
  error ('texla:unsupported', 'arrayfun: "%s" in %s is not available for gpuMatrix; write it with operators, or gather first', ...
         p.list{p.at}, p.text);
end

function [p, a] = level (p, k)
% Operators of one precedence, from the weakest on.
  operators = {{'||', '|'}, {'&&', '&'}, {'<', '<=', '==', '~=', '>=', '>'}, {'+', '-'}, {'*', '.*', '/', './'}};
  if k > numel (operators)
    [p, a] = unary (p);
    return
  end
  [p, a] = level (p, k + 1);
  while any (strcmp (p.list{p.at}, operators{k}))
    o = p.list{p.at};
    p.at = p.at + 1;
    [p, b] = level (p, k + 1);
    switch o
      case {'||', '|'}
        a = sprintf ('float(%s != 0. || %s != 0.)', a, b);
      case {'&&', '&'}
        a = sprintf ('float(%s != 0. && %s != 0.)', a, b);
      case {'<', '<=', '==', '>=', '>'}
        a = sprintf ('float(%s %s %s)', a, o, b);
      case '~='
        a = sprintf ('float(%s %s= %s)', a, char (33), b);
      case {'/', './'}
        a = sprintf ('divide(%s, %s)', a, b);
      otherwise
        a = sprintf ('(%s %s %s)', a, o(end), b);
    end
  end
end

function [p, a] = unary (p)
  o = p.list{p.at};
  if any (strcmp (o, {'-', '+', '~'}))
    p.at = p.at + 1;
    [p, a] = unary (p);
    if strcmp (o, '-')
      a = sprintf ('(-%s)', a);
    elseif strcmp (o, '~')
      a = sprintf ('float(%s == 0.)', a);
    end
    return
  end
  [p, a] = primary (p);
  while any (strcmp (p.list{p.at}, {'^', '.^'}))
    p.at = p.at + 1;
    minus = strcmp (p.list{p.at}, '-');
    p.at = p.at + minus;
    [p, b] = primary (p);
    if minus
      b = sprintf ('(-%s)', b);
    end
    a = sprintf ('powerOf(%s, %s)', a, b);
  end
end

function [p, a] = primary (p)
  t = p.list{p.at};
  p.at = p.at + 1;
  k = find (strcmp (t, p.names));
  if strcmp (t, '(')
    [p, a] = level (p, 1);
    p = expect (p, ')');
  elseif ~ isempty (t) && any (t(1) == '0123456789.')
    a = number (str2double (t));
  elseif ~ isempty (k)
    names = 'xyz';
    a = names(k);
  elseif isfield (p.values, t) && isscalar (p.values.(t)) && isreal (p.values.(t)) && ~ isa (p.values.(t), 'gpuMatrix')
    a = number (double (p.values.(t)));
  elseif any (strcmp (t, {'pi', 'e', 'eps', 'Inf', 'NaN', 'inf', 'nan'}))
    a = number (feval (t));
  else
    [p, a] = call (p, t);
  end
end

function a = number (v)
  if isnan (v)
    a = 'notANumber()';
  elseif isinf (v)
    a = 'divide(1., 0.)';
    if v < 0
      a = 'divide(-1., 0.)';
    end
  else
    a = sprintf ('%.9e', v);
    if v < 0
      a = ['(', a, ')'];
    end
  end
end

function p = expect (p, t)
  if ~ strcmp (p.list{p.at}, t)
    refuse (p);
  end
  p.at = p.at + 1;
end

function [p, a] = call (p, name)
% A function of one, two or three arguments.
  table = {'sin', 'sine(%s)'; 'cos', 'cosine(%s)'; 'tan', 'tangent(%s)'; 'atan', 'angle(%s, 1.)'; ...
           'exp', 'exponential(%s)'; 'expm1', 'exponential1(%s)'; 'log', 'logarithm(%s)'; 'log2', 'logarithm2(%s)'; ...
           'log10', 'logarithm10(%s)'; 'log1p', 'logarithm1(%s)'; 'sinh', 'hyperbolicSine(%s)'; 'cosh', 'hyperbolicCosine(%s)'; ...
           'tanh', 'hyperbolicTangent(%s)'; 'asinh', 'areaSine(%s)'; 'acosh', 'areaCosine(%s)'; 'atanh', 'areaTangent(%s)'; ...
           'erf', 'errorFunction(%s)'; 'erfc', 'errorComplement(%s)'; 'gamma', 'gammaFunction(%s)'; 'gammaln', 'logGamma(%s)'; ...
           'sqrt', 'sqrt(%s)'; 'abs', 'abs(%s)'; 'sign', 'sign(%s)'; 'floor', 'floor(%s)'; 'ceil', 'ceil(%s)'; 'fix', 'trunc(%s)'; ...
           'isnan', 'float(isNaN(%s))'; 'isinf', 'float(isInfinite(%s))'; ...
           'single', '(%s)'; 'double', '(%s)'; 'atan2', 'angle(%s, %s)'; 'mod', 'modulo(%s, %s)'; 'rem', 'remainder(%s, %s)'; ...
           'hypot', 'hypotenuse(%s, %s)'; 'max', 'max(%s, %s)'; 'min', 'min(%s, %s)'; 'power', 'powerOf(%s, %s)'; ...
           'plus', '(%s + %s)'; 'minus', '(%s - %s)'; 'times', '(%s * %s)'; 'rdivide', 'divide(%s, %s)'; ...
           'merge', 'chosen(%s, %s, %s)'; 'ifelse', 'chosen(%s, %s, %s)'; 'round', 'roundAway(%s)'};
  k = find (strcmp (table(:, 1), name));
  if isempty (k)
    p.at = p.at - 1;
    refuse (p);
  end
  p = expect (p, '(');
  list = {};
  while true
    [p, list{end + 1}] = level (p, 1);
    if ~ strcmp (p.list{p.at}, ',')
      break
    end
    p.at = p.at + 1;
  end
  p = expect (p, ')');
  form = table{k, 2};
  if numel (list) ~= numel (strfind (form, '%s'))
    error ('texla:badArgument', 'arrayfun: %s has %d arguments in %s', name, numel (list), p.text);
  end
  a = sprintf (form, list{:});
end
