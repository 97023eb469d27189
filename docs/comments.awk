# What Doxygen reads of a header: as it is, but where several members or values stand in one line, each gets the line's comment,
# which Doxygen would give to the first alone; and macros that make an enumeration of a list are left out. Lines keep their numbers.
/^#define TEXLA_[A-Z]+_ENUM\(/ {
  print ""
  next
}
{
  if (/^ *\/\*\*/)
    comment = ""
  if (/^ *\/\*\*/ || reading) {
    text = $0
    sub(/^ *(\/\*\*|\*)? ?/, "", text)
    reading = !/\*\/ *$/
    sub(/ *\*\/ *$/, "", text)
    comment = comment (comment == "" ? "" : " ") text
    print
    next
  }
  if (comment != "" && /^  [A-Za-z].*, .*;$/ && !/[()]/)
    print several($0)
  else
    print
  comment = ""
}

# "  int a, *b[2];" with one declaration for each member, and the comment before all but the first
function several(line,   parts, n, k, type, out) {
  n = split(line, parts, /, /)
  type = parts[1]
  sub(/[ *]*[A-Za-z_0-9]+(\[[^]]*\])?;?$/, "", type)
  out = parts[1]
  for (k = 2; k <= n; k++) {
    sub(/;$/, "", parts[k])
    out = out "; /** " comment " */ " type " " parts[k]
  }
  return out ";"
}
