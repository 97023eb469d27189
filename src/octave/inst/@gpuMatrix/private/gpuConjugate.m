function [x, flag, residual, k, history] = gpuConjugate (A, b, tolerance, most, M1, M2, start)
% Preconditioned conjugate gradients with operators of the caller's: functions, or matrices (M1 and M2 are solved with).
  if isempty (tolerance), tolerance = 1e-6; end
  if isempty (most), most = min (numel (b), 20); end
  x = b * 0;
  if ~ isempty (start)
    x = gpuMatrix (start);
  end
  r = b - gpuOperator (A, x);
  scale = double (norm (b));
  history = double (norm (r));
  flag = 1;
  k = 0;
  p = [];
  last = Inf;
  if scale == 0
    x = b * 0;
    history = 0;
    scale = 1;
  end
  while history(end) > tolerance * scale && k < most
    z = gpuPrecondition (M1, M2, r);
    new = r' * z;
    if isempty (p)
      p = z;
    else
      p = z + (new ./ old) .* p;
    end
    q = gpuOperator (A, p);
    alpha = new ./ (p' * q);
    x = x + alpha .* p;
    r = r - alpha .* q;
    old = new;
    k = k + 1;
    history(k + 1, 1) = double (norm (r));
    if ~ isfinite (history(end))
      flag = 4;
      break
    end
    if history(end) <= tolerance * scale % the true residual decides
      r = b - gpuOperator (A, x);
      p = [];
      history(end) = double (norm (r));
      if history(end) > max (tolerance * scale, last / 2)
        flag = 3;
        break
      end
      last = history(end);
    end
  end
  if history(end) <= tolerance * scale
    flag = 0;
  end
  residual = history(end) / scale;
end
