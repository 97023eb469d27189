% The tests that stand in the toolbox's own files (%!test), as `test @gpuMatrix/lu` and `pkg test texla` run them.
1; % a script
folder = fileparts (which ('gpuinfo'));
names = [strcat('@gpuMatrix/', {dir(fullfile (folder, '@gpuMatrix', '*.m')).name}), {dir(fullfile (folder, '*.m')).name}];
total = 0;
for k = 1:numel (names)
  name = names{k}(1:end - 2);
  text = fileread (fullfile (folder, names{k}));
  if isempty (regexp (text, '^%!(test|assert|error)', 'once', 'lineanchors'))
    continue
  end
  [passed, tests] = test (name, 'quiet', fullfile (tempdir (), 'texla-bist.log'));
  if passed ~= tests || tests == 0
    test (name, 'verbose');
    error ('%s: %d of %d tests passed', name, passed, tests);
  end
  total = total + tests;
end
printf ('%d tests in %d files\n', total, numel (names));
assert (total >= 100);
