% The example of load distribution (examples/share_batch.m).
n = 24; tasks = 5;
evalc ('source (fullfile (getenv ("SOURCE"), "examples", "share_batch.m"))');
assert (worst < 1e-4);
assert (sum (device) > 0 && sum (device) < tasks);
