# Each folder of src/ (a room) uses only itself and the rooms before it, by its includes and by the symbols that its objects ask
# for; inside a room files have an order, too: no circle of files that ask for each other. OpenGL stays in src/gl and in the demos' window and canvas,
# GLFW in demos/common.
source "$(dirname "$0")/common.sh"
cd "$SOURCE"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
rooms='platform core gl vector matrix dense elimination triangle crout tridiagonal multigrid krylov system io trace queue sim mpi program cli cli-mpi octave'

sources() {
  find "$@" -name '*.[ch]' 2>/dev/null | sort
}

allowed=texla
for room in $rooms; do
  allowed+="|$room"
  check "src/$room includes a room that stands after it (order: $rooms)" "$(sources "src/$room" |
    xargs -r grep -nE "^ *# *include \"($(tr ' ' '|' <<<"$rooms"))/" /dev/null | grep -vE "include \"($allowed)/" || true)"
done
if git rev-parse HEAD >/dev/null 2>&1; then
  check "in the repository, but nothing that a person reads" \
    "$(git diff --numstat "$(git hash-object -t tree /dev/null)" HEAD | awk '$1 == "-" { print $3 }')"
fi
check "folders of src/ that have no place in the order of the rooms" \
  "$(for folder in src/*/; do grep -qw "$(basename "$folder")" <<<"$rooms" || echo "$folder"; done)"

check "asks which system it runs on outside src/platform and src/gl/platform_*.c" \
  "$(sources src demos include bench examples | grep -vE '^src/platform/|^src/gl/platform_|^src/core/companion\.h$|^include/texla/status\.h$' |
    xargs -r grep -nE '^ *# *(if|elif|ifdef|ifndef)\b.*\b(_WIN32|_WIN64|__MINGW32__|__APPLE__|__linux__|__unix__|__EMSCRIPTEN__)\b' /dev/null || true)"

# links: "<file that asks> <file that defines> <symbol>", one a line, files as room/name (or bench/name, demos/common/name)
# (objects of sources that have been moved away may lie there, too)
links=$(find "$BINARY" -path '*.dir/src/*.c.o' -o -path '*.dir/bench/*.c.o' -o -path '*.dir/demos/common/*.c.o' | while read -r object; do
  file=${object##*.dir/}
  [ ! -e "${file%.o}" ] || echo "$object"
done | xargs "$NM" -A | sed 's|^.*\.dir/||; s|^src/||' | awk '
  { file = $1; sub(/\.c\.o:.*/, "", file); symbol = $NF; type = $(NF - 1) }
  type == "U" { asked[file " " symbol] = 1 }
  type ~ /^[TDBRVW]$/ { home[symbol] = file }
  END {
    for (pair in asked) {
      split(pair, p, " ")
      if ((p[2] in home) && home[p[2]] != p[1]) print p[1], home[p[2]], p[2]
    }
  }' | sort)
[ -n "$links" ] || check "no links found between the objects in" "$BINARY/CMakeFiles"
check "an object of a lower room asks for a symbol of a higher one (file, where it is defined, symbol)" "$(awk -v rooms="$rooms" '
  BEGIN { n = split(rooms, name, " "); for (i = 1; i <= n; i++) rank[name[i]] = i }
  { a = $1; b = $2; sub(/\/.*/, "", a); sub(/\/.*/, "", b); if ((a in rank) && (!(b in rank) || rank[a] < rank[b])) print }' <<<"$links")"
# The files of one room that lie on a circle of links, one a line; tsort (coreutils) names them where it finds no order.
circle() {
  awk -v room="$1" '{
    a = $1; b = $2; sub(/\/[^\/]*$/, "", a); sub(/\/[^\/]*$/, "", b)
    if (a == room && b == room) print $1, $2
  }' <<<"$links" | sort -u | { tsort 2>&1 >/dev/null || true; } | sed -n 's/^tsort: \(.*\/.*\)$/\1/p' | sort -u
}
for room in $rooms bench bench/cluster demos/common; do
  check "files of $room that ask for each other in a circle" "$(circle "$room")"
done
# OpenGL without texla is what the plain programs of the lessons are about, and one lesson makes mistakes that texla does not allow.
outside=$(sources src include bench demos | grep -vE '^src/gl/|^demos/common/(window|canvas)\.c$|^demos/lessons/([^/]*/plain|18_mistakes/main)\.c$' || true)
check "includes OpenGL outside src/gl" \
  "$(xargs -r grep -nE '^ *# *include *[<"](GL|GLES|GLES2|GLES3|EGL|KHR)/' /dev/null <<<"$outside" || true)"
check "includes GLFW outside demos/common" \
  "$(grep -v '^demos/common/' <<<"$outside" | xargs -r grep -nE '^ *# *include *[<"]GLFW/' /dev/null || true)"
check "names OpenGL outside src/gl" "$(xargs -r bash -c 'source "$0" && strip_comments_of_each "$@"' "$SOURCE/tests/hygiene/common.sh" <<<"$outside" |
  grep -E '\b(GL(u?int|enum|float|s?izei|bitfield|boolean|sync|char)|GL_[A-Z]+|e?gl[A-Z][A-Za-z]+|EGL[A-Z_a-z]+)\b' || true)"
mpi=()
for folder in ${MPI_INCLUDES//;/ }; do
  mpi+=(-isystem "$folder")
done
# What a file sees through the headers it includes: the list of dependencies that the build has left beside its object, or else the compiler's.
declare -A listed=()
while read -r dependencies; do
  file=${dependencies##*.dir/}
  listed[${file%.o.d}]=$dependencies
done < <(find "$BINARY" -path '*.dir/src/*.c.o.d')
check "sees an OpenGL header through src/gl's headers" "$(for file in $(grep '^src/.*\.c$' <<<"$outside" | grep -vE '^src/(octave/|platform/windows\.c)' || true); do
  if [ -n "${listed[$file]:-}" ]; then
    echo "$file ${listed[$file]}"
    continue
  fi
  case $file in src/mpi/* | src/cli-mpi/*) [ ${#mpi[@]} -gt 0 ] || continue ;; esac # MPI is optional
  if ! "$CC" -std=c11 -D_DEFAULT_SOURCE -M "${mpi[@]}" -Iinclude -Isrc -Ibench -I"$BINARY/generated" -I"$STB" "$file" >"$work/${file//\//-}" 2>&1; then
    echo "$file does-not-preprocess"
  fi
  echo "$file $work/${file//\//-}"
done | while read -r file dependencies; do
  if [ "$dependencies" = does-not-preprocess ]; then
    echo "$file does not preprocess"
  elif grep -qE '/(GL|EGL|GLFW)/' "$dependencies"; then
    echo "$file"
  fi
done)"
finish
