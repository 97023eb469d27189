# clang-tidy has nothing to say of the public headers and of a few sources (`make tidy`: of all, which takes long). Versions differ, so only one
# of them is believed.
source "$(dirname "$0")/common.sh"
version=14
{ clang-tidy-$version --version || clang-tidy --version; } 2>/dev/null | grep -F "version $version." >/dev/null || skip "no clang-tidy $version"
[ -e "$BINARY/compile_commands.json" ] || skip "no compile_commands.json"
check "clang-tidy" "$("$SOURCE/cmake/tidy.sh" "$BINARY" src/core/error.c src/vector/run.c src/cli/main.c 2>&1 || echo "it returns $?")"
finish
