% The thesis' listing: everything returns before the product is there; waiting, reading ahead, holding, statistics.
n = 40;
a = rand (n); b = rand (n);
gpuhold (true);
A = gpuMatrix (a);
B = gpuMatrix (b);
C = A * B;
D = C * C;
read (D);
assert (! ready (D) && ! ready (C) && ready (A));
assert (! wait (D, 0.05));
assert (size (D), [n n]);
s = gpustats ();
assert (s.queued, 2);
gpuhold (false);
assert (wait (D, 60));
assert (ready (D));
near (single (D), (a * b)^2, 1e-5);
near (D, (a * b)^2, 1e-5);
gpudrain ();
assert (gpustats ().queued, 0);
gpuhold (true);
E = A + B;
F = E * 2;
cancel (E);
gpuhold (false);
try
  double (F);
  error ('a cancelled operation has a value');
catch e
  assert (e.identifier, 'texla:cancelled');
end
i = gpuinfo ();
assert (! isempty (i.renderer) && ! isempty (i.texla));
gpudevice ('llvmpipe'); % another queue: old values are gone, new ones are fine
try
  double (A);
  error ('a value of the queue before');
catch e
  assert (e.identifier, 'texla:badArgument');
end
Z = gpuMatrix (5); % it must not be taken for A, nor go with it
try
  double (A);
  error ('a value of the queue before, in the place of another one');
catch e
  assert (e.identifier, 'texla:badArgument');
end
clear A B C D E F
assert (double (Z), 5);
near (gpuMatrix (1) + 1, 2);
X = gpuMatrix (rand (300)); % left to themselves: Octave ends while they wait
for k = 1:30
  X = X * X;
end
