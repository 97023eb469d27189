# The programs without texla run in a hidden window and come to what the lessons print.
source "$(dirname "$0")/../hygiene/common.sh"
[ -d "$BINARY/plain" ] || skip "no GLFW"
command -v xvfb-run >/dev/null && command -v xauth >/dev/null || skip "no xvfb-run or xauth"

# plain LESSON: what it prints. Without XDG_RUNTIME_DIR the library of Wayland, which GLFW 3.4 tries, would complain.
plain() { env -u WAYLAND_DISPLAY XDG_RUNTIME_DIR="$BINARY" xvfb-run -a "$BINARY/plain/$1_plain" 2>&1 || echo "it returns $?"; }
lesson() { "$BINARY/lessons/$1" --check 2>&1; }

for name in 00_hello_texture 02_ping_pong; do
  check "$name and its program without texla differ" "$(diff <(lesson $name | grep -E '^(x =|y =|[0-9]+ steps)') <(plain $name) || true)"
done
for name in 03_reductions 07_conjugate_gradients; do
  out=$(plain $name)
  check "$name without texla: the error is larger than that of a few roundings" \
    "$(grep -oE '(by a tree .* \(error |= )[0-9.]+e[-+][0-9]+' <<<"$out" | grep -oE '[0-9.]+e[-+][0-9]+' |
      awk -v most=$([ $name = 03_reductions ] && echo 1e-6 || echo 1e-4) '{ n++ } $1 > most { print } END { if (!n) print "nothing printed" }')"
done
finish
