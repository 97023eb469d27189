# A static function of the library's rooms whose name occurs in several of their files begins with its file's name (docs/interfaces.md).
source "$(dirname "$0")/common.sh"
command -v python3 >/dev/null || skip "no python3"
cd "$SOURCE"
check "static functions of one name in several files" "$(complaints python3 tests/hygiene/names.py src)"
finish
