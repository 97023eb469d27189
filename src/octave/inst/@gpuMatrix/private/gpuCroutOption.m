function [place, value] = gpuCroutOption (name, value)
% An option of crout: its place among the operation's numbers, and its number.
  names = {'section', 'order', 'sweep', 'tolerance'};
  choices = {{}, {'antidiagonal', 'sequential'}, {'tiles', 'entries'}, {}};
  place = find (strcmpi (name, names));
  if isempty (place)
    error ('crout: unknown option; options are section, order, sweep, tolerance');
  end
  if ~isempty (choices{place})
    value = find (strcmpi (value, choices{place})) - 1;
    if isempty (value)
      error ('crout: %s is %s or %s', name, choices{place}{:});
    end
  end
  value = double (value);
end
