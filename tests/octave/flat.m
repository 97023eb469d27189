% A thousand times the same: device and process do not grow.
1; % a script
function kb = resident ()
  t = fileread ('/proc/self/status');
  kb = str2double (regexp (t, 'VmRSS:\s+(\d+)', 'tokens'){1}{1});
end
x = rand (100);
for k = 1:1000
  A = gpuMatrix (x);
  B = A * A + 1;
  B(1, :) = 0;
  if mod (k, 20) == 0
    y = double (B);
  end
  try
    A + ones (3);
  catch
  end
  clear A B
  if k == 300
    gpudrain ();
    s = gpustats ();
    before = [s.device_bytes, resident()];
  end
end
gpudrain ();
s = gpustats ();
after = [s.device_bytes, resident()];
assert (s.values <= 1);
assert (after(1) <= before(1) + 2^20);
if exist ('/proc/self/status', 'file')
  assert (after(2) <= before(2) + 8192); % kB
end
