% A batch of factorizations P A = L U, shared between the processor and a device by the measured ratio
% r = ceil (t_GPU / t_CPU): Octave works on r tasks while the queue's thread works on one. If the device is faster,
% it has r = ceil (t_CPU / t_GPU) tasks for each one of Octave's. On a software renderer both compete for one processor.
%
%   n = 256; tasks = 25; share_batch
if ! exist ('n', 'var'), n = 128; end
if ! exist ('tasks', 'var'), tasks = 25; end
A = arrayfun (@(k) single (rand (n)), 1:tasks, 'UniformOutput', false);
L = U = P = G = cell (1, tasks);
for turn = 1:2 % the first one compiles
  tic; [l, u, p] = lu (gpuMatrix (A{1})); single (u); gpu = toc;
  tic; [l, u, p] = lu (A{1}); cpu = toc;
end
r = ceil (max (gpu, cpu) / min (gpu, cpu));
device = mod (0:tasks - 1, r + 1) == 0;
if gpu < cpu, device = ! device; end
printf ('t_GPU %.3f ms, t_CPU %.3f ms, ratio %d: %d of %d by the device\n', 1e3 * gpu, 1e3 * cpu, r, sum (device), tasks);
tic;
for k = find (device) % returns at once
  [G{k}.L, G{k}.U, G{k}.P] = lu (gpuMatrix (A{k}));
  read (G{k}.U);
end
for k = find (! device)
  [L{k}, U{k}, P{k}] = lu (A{k});
end
for k = find (device) % waits
  L{k} = single (G{k}.L); U{k} = single (G{k}.U); P{k} = single (G{k}.P);
end
seconds = toc;
worst = max (arrayfun (@(k) max (max (abs (P{k} * A{k} - L{k} * U{k}))), 1:tasks));
printf ('%d tasks of order %d: %.1f ms; max |P A - L U| = %.1e\n', tasks, n, 1e3 * seconds, worst);
