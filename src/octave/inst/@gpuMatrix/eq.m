function C = eq (A, B)
% eq  A == B, entry by entry. Of two single entries the answer is an ordinary logical value, which waits: Octave's `switch` needs it so.
%
%   switch gpuMatrix (2), case 2, disp ('two'), end
  if isscalar (A) && isscalar (B)
    A = gather (A);
    B = gather (B);
    if ~ (isa (A, 'double') && isa (B, 'double'))
      A = single (A);
      B = single (B);
    end
    C = A == B;
  else
    C = gpuCall ('eq', {A, B}, 'logical');
  end
end
%!assert (double (eq (gpuMatrix ([1 2 3]), [1 0 3])), [1 0 1])
%!test
%! found = '';
%! switch gpuMatrix (2), case {1, 3}, found = 'one'; case 2, found = 'two'; end
%! assert (found, 'two');
%! switch 3, case gpuMatrix (3), found = 'three'; end
%! assert (found, 'three');
