function [x, flag, residual, k] = gpuLanczos (A, b, tolerance, most, M1, M2, start)
% Minimal residuals (Paige and Saunders 1975) with operators of the caller's, symmetric: functions, or matrices (M1 and M2, of which M2 M1 is
% symmetric and positive definite, are solved with). Vectors are on the device, rotations here.
  if isempty (tolerance), tolerance = 1e-6; end
  if isempty (most), most = min (numel (b), 20); end
  x = b * 0;
  if ~ isempty (start)
    x = gpuMatrix (start);
  end
  scale = double (norm (b));
  if scale == 0
    scale = 1;
  end
  r = b - gpuOperator (A, x);
  z = gpuPrecondition (M1, M2, r);
  beta = sqrt (double (r' * z));
  residual = double (norm (r)) / scale;
  flag = 1;
  k = 0;
  old = b * 0;
  w = b * 0;
  before = b * 0;
  [c, s, eta, epsilon, delta, last] = deal (-1, 0, beta, 0, 0, 1);
  while residual > tolerance && k < most
    if ~ (beta > 0 && isfinite (beta))
      flag = 4;
      break
    end
    v = z ./ beta;
    p = gpuOperator (A, v);
    if k > 0
      p = p - (beta / last) .* old;
    end
    alpha = double (v' * p);
    p = p - (alpha / beta) .* r;
    old = r;
    r = p;
    z = gpuPrecondition (M1, M2, r);
    last = beta;
    beta = sqrt (double (r' * z));
    % the next rotation, of column k of the tridiagonal matrix
    gamma = c * delta + s * alpha;
    bar = s * delta - c * alpha;
    far = epsilon;
    [epsilon, delta] = deal (s * beta, - c * beta);
    rho = norm ([bar, beta]);
    if rho == 0
      flag = 4;
      break
    end
    [c, s] = deal (bar / rho, beta / rho);
    direction = (v - far .* before - gamma .* w) ./ rho;
    before = w;
    w = direction;
    x = x + (c * eta) .* w;
    eta = s * eta;
    k = k + 1;
    residual = double (norm (b - gpuOperator (A, x))) / scale;
  end
  if residual <= tolerance
    flag = 0;
  end
end
