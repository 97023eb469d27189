% Errors have identifiers, name the operation and the sizes, and leave everything usable.
1; % a script
function fails (f, identifier, varargin)
  try
    x = f ();
    if isa (x, 'gpuMatrix')
      double (x);
    end
  catch e
    if ! strcmp (e.identifier, identifier)
      error ('%s: identifier %s instead of %s: %s', func2str (f), e.identifier, identifier, e.message);
    end
    for k = 1:numel (varargin)
      if isempty (strfind (e.message, varargin{k}))
        error ('%s: no "%s" in "%s"', func2str (f), varargin{k}, e.message);
      end
    end
    return
  end
  error ('%s: no error', func2str (f));
end
A = gpuMatrix (magic (4)); B = gpuMatrix (ones (3, 2));
fails (@() A + B, 'texla:nonconformant', 'plus', '4 x 4 and 3 x 2');
fails (@() A * B, 'texla:nonconformant', 'multiply', '4 x 4 and 3 x 2');
fails (@() A \ B, 'texla:nonconformant', 'solve', '4 x 4 and 3 x 2');
fails (@() horzcat (A, B), 'texla:nonconformant', 'horzcat', '4 x 4 and 3 x 2');
fails (@() inv (B), 'texla:nonconformant', 'inverse', '3 x 2');
S = gpuMatrix (ones (4));
warning ('off', 'Octave:singular-matrix', 'local');
near (S \ (1:4)', pinv (ones (4)) * (1:4)', 1e-12); % Octave's warning, and the shortest solution
near (inv (S), inv (ones (4)));
fails (@() reshape (A, 3, 5), 'texla:nonconformant', 'reshape');
fails (@() A(5, 1), 'texla:indexOutOfBounds', 'out of bound');
fails (@() A(0), 'texla:badIndex');
fails (@() A{1}, 'texla:badIndex');
fails (@() A(1.5), 'texla:badIndex');
fails (@() gpuMatrix (1i), 'texla:unsupported', 'complex');
fails (@() gpuMatrix (ones (2, 2, 2)), 'texla:unsupported', 'dimensions');
fails (@() gpuMatrix ('hello'), 'texla:badArgument');
fails (@() gpuMatrix ({}), 'texla:badArgument', 'cell');
fails (@() gpuMatrix (1e300) + 1, 'texla:notFinite', '1e+300');
fails (@() svd (A), 'texla:unsupported', 'svd (double (A))');
fails (@() fft (A), 'texla:unsupported');
fails (@() norm (A, 3), 'texla:unsupported', 'norm (double (A)');
fails (@() chol (A - 20), 'texla:singular', 'cholesky');
fails (@() chol (B), 'texla:nonconformant', 'cholesky', '3 x 2');
fails (@() lscov (B', [1; 2]), 'texla:nonconformant', 'least_squares', '2 x 3');
fails (@() tridiag (ones (3, 1), 4, 1, gpuMatrix (ones (4, 2))), 'texla:nonconformant', 'tridiagonal', '3 x 1 and ');
fails (@() sum (A, 'omitnan'), 'texla:badArgument', 'sum');
fails (@() A.x, 'texla:badIndex', 'not with .');
fails (@() sparse (A, 'coo'), 'texla:badArgument', 'slots');
file = tempname ();
try
  save (file, 'A');
  error ('saved');
catch e
  assert (! isempty (strfind (e.message, 'save double (A) instead')));
end
try
  A(1:2, 1) = ones (3, 1);
  error ('assigned');
catch e
  assert (e.identifier, 'texla:nonconformant');
end
near (A + 1, magic (4) + 1); % all is well afterwards
gpudevice ('nonsense');
fails (@() gpuMatrix (1), 'texla:badArgument', 'unknown device "nonsense"');
gpudevice ('auto');
near (gpuMatrix (1) + 1, 2);
