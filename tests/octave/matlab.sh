# The class is for MATLAB as well, where nobody can run it here: what only Octave understands must not be in it. Comments, texts in
# single quotes and the tests at the end of files (%!) do not count.
set -euo pipefail
files=$(find "$SOURCE/src/octave/inst" -name '*.m' | sort)
[ "$(wc -l <<<"$files")" -gt 50 ] || { echo "too few files found: $files"; exit 1; }
lines=$(awk '
  /^%!/ { next }
  { line = $0
    gsub(/(^|[ (,={;&|~[])\047[^\047]*\047/, " text", line) # what is left of quotes are transposes
    sub(/%.*/, "", line)
    if (line ~ /(^|[ ;,(])(endif|endfor|endwhile|endfunction|endswitch|end_try_catch|unwind_protect|until|do|printf|puts|print_usage|ifelse|nthargout|fdisp|isargout)([ ;,(]|$)/ ||
        line ~ /[#"!]/ || line ~ /(\+\+|--|\+=|-=|\*=|\/=|\^=|\*\*)/ || line ~ /\)[ ]*\(/)
      print FILENAME ":" FNR ": " $0 }' $files)
bad=$(grep -v '^[^:]*:[0-9]*: function ' <<<"$lines" || true)
if [ -n "$bad" ]; then
  printf 'not understood by MATLAB:\n%s\n' "$bad"
  exit 1
fi
echo "all is well"
