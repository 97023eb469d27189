# Each folder of src/ includes only itself and the layers before it; OpenGL stays in src/gl and in the demos' window,
# GLFW in demos/common.
source "$(dirname "$0")/common.sh"
cd "$SOURCE"
layers='core gl objects ops solvers io trace sim queue mpi cli octave'

sources() {
  find "$@" -name '*.[ch]' 2>/dev/null | sort
}

allowed=texla
for layer in $layers; do
  allowed+="|$layer"
  check "src/$layer includes a layer that stands after it (order: $layers)" "$(sources "src/$layer" |
    xargs -r grep -nE "^ *# *include \"($(tr ' ' '|' <<<"$layers"))/" /dev/null | grep -vE "include \"($allowed)/" || true)"
done
check "folders of src/ that have no place in the order of the layers" \
  "$(for folder in src/*/; do grep -qw "$(basename "$folder")" <<<"$layers" || echo "$folder"; done)"

outside=$(sources src include bench demos | grep -vE '^src/gl/|^demos/common/window\.c$' || true)
check "includes OpenGL outside src/gl" \
  "$(xargs -r grep -nE '^ *# *include *[<"](GL|GLES|GLES2|GLES3|EGL|KHR)/' /dev/null <<<"$outside" || true)"
check "includes GLFW outside demos/common" \
  "$(grep -v '^demos/common/' <<<"$outside" | xargs -r grep -nE '^ *# *include *[<"]GLFW/' /dev/null || true)"
check "names OpenGL outside src/gl" "$(for file in $outside; do
  strip_comments "$file" | grep -nE '\b(GL(u?int|enum|float|s?izei|bitfield|boolean|sync|char)|GL_[A-Z]+|e?gl[A-Z][A-Za-z]+|EGL[A-Z_a-z]+)\b' |
    sed "s|^|$file:|"
done || true)"
# What a file sees through the headers it includes: the compiler's own list of dependencies.
check "sees an OpenGL header through src/gl's headers" "$(for file in $(grep '^src/.*\.c$' <<<"$outside" || true); do
  if ! seen=$("$CC" -std=c11 -D_DEFAULT_SOURCE -M -Iinclude -Isrc -Ibench -I"$STB" "$file" 2>&1); then
    echo "$file does not preprocess: $seen"
  elif grep -qE '/(GL|EGL|GLFW)/' <<<"$seen"; then
    echo "$file"
  fi
done)"
finish
