% Allocations and calls of OpenGL fail, one at a time, while a queue is made and computes: each time there is an error with an identifier and a
% message, or the right numbers; nothing is lost, and the same work done again is right. TEXLA_FAULTS failures of each kind; 0: all.
1; % a script
function x = work ()
  S = gpuMatrix (sparse ([2 0; 0 5]));
  A = gpuMatrix ([4 1; 1 3]);
  x = [double(A * A + 1), double(A \ [5; 4]), full(double (S * A)), double(single (sum (A)))'];
end
function left = stopped () % the blocks that are left without a queue
  texla_mex ('stop');
  left = texla_mex ('blocks');
end
addpath (getenv ('FAULTS'));
assert (! isempty (strfind (which ('texla_mex'), getenv ('FAULTS'))));
most = str2double (getenv ('TEXLA_FAULTS'));
if isnan (most)
  most = 2;
end
wanted = work ();
assert (max (abs (wanted - [18 8 1 8 2 5; 8 11 1 5 15 4])(:)) < 1e-5);
kept = -Inf;
tried = failed = 0;
kinds = texla_mex ('kinds');
for kind = 1:numel (kinds)
  stopped ();
  texla_mex ('fail', kind, 0);
  work ();
  calls = texla_mex ('done', kind);
  kept = max (kept, stopped ());
  step = max (1, ceil (calls / most) * (most > 0));
  for k = ceil (step / 2):step:calls
    texla_mex ('fail', kind, k);
    x = wanted;
    e = [];
    try
      x = work ();
    catch e
      failed++;
    end
    texla_mex ('done', kind);
    if ! isempty (e) && (isempty (strfind (e.identifier, 'texla:')) || numel (e.message) < 20)
      error ('%s %d: %s: %s', kinds{kind}, k, e.identifier, e.message);
    end
    assert (x, wanted, 1e-5);
    clear x e
    assert (work (), wanted, 1e-5);
    tried++;
    if stopped () > kept
      error ('%s %d of %d: %d blocks are lost', kinds{kind}, k, calls, texla_mex ('blocks') - kept);
    end
  end
end
printf ('%d calls failed, %d of them with an error\n', tried, failed);
assert (failed > 5);
