function [x, flag, residual, iterations] = gpuArnoldi (A, b, restart, tolerance, most, M1, M2, start)
% Restarted GMRES (Saad and Schultz 1986) with operators of the caller's: functions, or matrices (M1 and M2 are solved with). The basis is on
% the device, orthogonalized twice; the small least squares problem is solved here. Of the residual M2^-1 M1^-1 (b - A x), as Octave's own.
  n = numel (b);
  if isempty (tolerance), tolerance = 1e-6; end
  if isempty (restart), restart = min (n, 10); end
  restart = min (restart, n);
  if isempty (most), most = min (ceil (n / restart), 10); end
  x = b * 0;
  if ~ isempty (start)
    x = gpuMatrix (start);
  end
  scale = double (norm (gpuPrecondition (M1, M2, b)));
  if scale == 0
    scale = 1;
  end
  flag = 1;
  iterations = [0, 0];
  residual = Inf;
  while true
    left = b - gpuOperator (A, x);
    r = gpuPrecondition (M1, M2, left);
    beta = double (norm (r));
    before = residual;
    residual = beta / scale;
    if residual <= tolerance && double (norm (left)) <= tolerance * double (norm (b)) % M may hide a part
      flag = 0;
    elseif ~ isfinite (residual)
      flag = 4;
    elseif residual >= before || beta == 0 % single precision has come to its end
      flag = 3;
    end
    if flag ~= 1 || iterations(1) == most
      return
    end
    v = r ./ beta;
    V = v;
    H = zeros (restart + 1, restart);
    for k = 1:restart
      w = gpuPrecondition (M1, M2, gpuOperator (A, v));
      for pass = 1:2
        h = V' * w;
        w = w - V * h;
        H(1:k, k) = H(1:k, k) + double (h);
      end
      H(k + 1, k) = double (norm (w));
      e = [beta; zeros(k, 1)];
      y = H(1:k + 1, 1:k) \ e;
      small = norm (e - H(1:k + 1, 1:k) * y) <= tolerance * scale;
      if small || k == restart || H(k + 1, k) <= eps ('single') * norm (H(1:k, k))
        break
      end
      v = w ./ H(k + 1, k);
      V = [V, v];
    end
    x = x + V * y;
    iterations = [iterations(1) + 1, k];
  end
end
