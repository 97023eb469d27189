function [x, flag, residual, k] = gpuStabilized (A, b, tolerance, most, M1, M2, start)
% Preconditioned stabilized biconjugate gradients (van der Vorst 1992) with operators of the caller's: functions, or matrices (M1 and M2
% are solved with).
  if isempty (tolerance), tolerance = 1e-6; end
  if isempty (most), most = min (numel (b), 20); end
  x = b * 0;
  if ~ isempty (start)
    x = gpuMatrix (start);
  end
  r = b - gpuOperator (A, x);
  shadow = r;
  p = r;
  rho = shadow' * r;
  scale = double (norm (b));
  if scale == 0
    x = b * 0;
    r = x;
    scale = 1;
  end
  residual = double (norm (r)) / scale;
  flag = 1;
  k = 0;
  last = Inf;
  while residual > tolerance && k < most
    toward = gpuPrecondition (M1, M2, p);
    v = gpuOperator (A, toward);
    alpha = rho ./ (shadow' * v);
    s = r - alpha .* v;
    across = gpuPrecondition (M1, M2, s);
    t = gpuOperator (A, across);
    omega = (t' * s) ./ (t' * t);
    % where s is small already this step is the last one, and t may be 0
    if double (norm (s)) <= tolerance * scale
      omega = 0;
    end
    x = x + alpha .* toward + omega .* across;
    r = s - omega .* t;
    old = rho;
    rho = shadow' * r;
    p = r + ((rho ./ old) .* (alpha ./ omega)) .* (p - omega .* v);
    k = k + 1;
    residual = double (norm (r)) / scale;
    if ~ isfinite (residual)
      flag = 4;
      break
    end
    if residual <= tolerance % the true residual decides
      r = b - gpuOperator (A, x);
      shadow = r;
      p = r;
      rho = shadow' * r;
      residual = double (norm (r)) / scale;
      if residual > max (tolerance, last / 2)
        flag = 3;
        break
      end
      last = residual;
    end
  end
  if residual <= tolerance
    flag = 0;
  end
end
