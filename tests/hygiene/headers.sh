# Each public header compiles alone, as C11 and as C++, needs only the C standard library, and either texla.h or sim.h includes it,
# or it is texla/mpi.h of the library texla_mpi: that needs mpi.h (MPI_INCLUDES, empty where there is none).
source "$(dirname "$0")/common.sh"
cd "$SOURCE/include"
warnings=(-Wall -Wextra -Wconversion -Wshadow -pedantic -Werror)

includes=(-I.)
for folder in ${MPI_INCLUDES//;/ }; do
  includes+=(-isystem "$folder")
done
refuses "$CC" -fsyntax-only -x c -
[ -z "$CXX" ] || refuses "$CXX" -fsyntax-only -x c++ -
for header in texla/*.h; do
  [ "$header" != texla/mpi.h ] || [ -n "${MPI_INCLUDES:-}" ] || continue
  program="#include \"$header\"
int main(void) { return 0; }"
  check "$header does not compile alone as C11" \
    "$(complaints "$CC" -std=c11 "${warnings[@]}" -Wstrict-prototypes "${includes[@]}" -fsyntax-only -x c - <<<"$program")"
  [ -z "$CXX" ] || check "$header does not compile alone as C++" \
    "$(complaints "$CXX" -std=c++17 "${warnings[@]}" "${includes[@]}" -fsyntax-only -x c++ - <<<"$program")"
done
check "the comment at the top of a header does not tell" "$(for header in texla/*.h; do
  grep -q _API "$header" && [ "$header" != texla/version.h ] && [ "$header" != texla/status.h ] || continue
  top=$(sed '/\*\//q' "$header")
  for word in errors thread ownership '@since'; do
    grep -qi "$word" <<<"$top" || echo "$header: $word"
  done
done)"
standard='assert|complex|ctype|errno|fenv|float|inttypes|limits|math|signal|stdalign|stdarg|stdatomic|stdbool|stddef|stdint'
standard+='|stdio|stdlib|stdnoreturn|string|time'
check "included by a public header, but neither C standard nor texla/" \
  "$(grep -nE '^ *# *include' texla/*.h | grep -v '^texla/mpi.h:.*<mpi.h>' | grep -vE "include (<($standard)\.h>|\"texla/[a-z0-9_]+\.h\")" || true)"
check "neither texla/texla.h nor texla/sim.h includes" "$(for header in texla/*.h; do
  case $header in texla/texla.h | texla/sim.h | texla/mpi.h) continue ;; esac
  grep -q "^#include \"$header\"" texla/texla.h texla/sim.h || echo "$header"
done)"
physics='sim|wave|water|flow|evolution|terrain'
check "a header of algebra that includes physics" "$(for header in texla/*.h; do
  grep -qE "^texla/($physics|mpi)\.h" <<<"$header" || grep -nE "^#include \"texla/($physics|mpi)\.h\"" "$header" /dev/null || true
done)"
finish
