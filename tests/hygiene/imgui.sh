# The panel compiles with the newest Dear ImGui: the headers of sid, whose package is fetched into a cache folder once a week.
source "$(dirname "$0")/common.sh"
cd "$SOURCE"
command -v apt-get >/dev/null || skip "no apt-get to fetch sid's libimgui-dev"
[ -e /usr/include/GLFW/glfw3.h ] || skip "no headers of GLFW (package libglfw3-dev)"
cache=${XDG_CACHE_HOME:-$HOME/.cache}/texla/imgui
keys=/usr/share/keyrings/debian-archive-keyring.gpg
headers=$cache/headers/usr/include/imgui

mirror() {
  { cat /etc/apt/sources.list.d/*.sources /etc/apt/sources.list 2>/dev/null || true; } |
    sed -nE 's@^(URIs: *|deb +(\[[^]]*\] +)?)([a-z]+:[^ ]*/debian)/?( .*)?$@\3@p' | head -n 1
}

# apt with lists of its own: the system's stay as they are
private_apt() {
  apt-get -qq -o Dir::Etc::sourcelist="$cache/sid.list" -o Dir::Etc::sourceparts=- -o Dir::State::lists="$cache/lists" \
    -o Dir::Cache="$cache" -o APT::Sandbox::User=root -o Acquire::Languages=none "$@"
}

fetch() {
  rm -rf "$cache"
  mkdir -p "$cache/lists/partial" "$cache/archives/partial" "$cache/headers"
  echo "deb [signed-by=$keys] $(mirror) sid main" >"$cache/sid.list"
  (cd "$cache" && private_apt update && private_apt download libimgui-dev:"$(dpkg --print-architecture)" && dpkg-deb -x libimgui-dev_*.deb headers)
}
if [ -z "$(find "$headers/imgui.h" -mtime -7 2>/dev/null)" ]; then
  why=$(fetch 2>&1) || skip "sid's libimgui-dev cannot be fetched: $(tail -n 1 <<<"$why")"
  touch "$headers/imgui.h"
fi
refuses "$CXX" -std=c++14 -fsyntax-only -x c++ -
check "with Dear ImGui $(sed -n 's/^#define IMGUI_VERSION  *"\(.*\)"/\1/p' "$headers/imgui.h") the compiler says" \
  "$(complaints "$CXX" -std=c++14 -Wall -Wextra -Wconversion -Wshadow -Werror -fsyntax-only -Idemos -Iinclude -Isrc -isystem "$headers" \
    -isystem "$headers/backends" demos/common/panel.cpp)"
finish
