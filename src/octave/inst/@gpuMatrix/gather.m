function x = gather (A)
% gather  The values of A as an ordinary matrix of its class. Waits until they are there.
  x = feval (A.class, A);
end
