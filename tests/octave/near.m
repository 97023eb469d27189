function near (A, b, tolerance)
% near  Fails unless the gpuMatrix A is b up to single precision, or the tolerance relative to the largest entry.
  if nargin < 3
    tolerance = 20 * eps ('single');
  end
  a = full (double (A));
  assert (size (A), size (b));
  assert (size (a), size (b));
  b = full (double (b));
  assert (isnan (a), isnan (b));
  finite = isfinite (b);
  assert (a(~ finite & ~ isnan (b)), b(~ finite & ~ isnan (b)));
  scale = max ([1e-30; abs(b(finite)(:))]);
  worst = max ([0; abs(a(finite)(:) - b(finite)(:))]) / scale;
  if worst > tolerance
    error ('%d x %d: off by %g of the largest entry', rows (b), columns (b), worst);
  end
end
