# A static function of the library's rooms whose name occurs in several of their files begins with its file's name (docs/interfaces.md).
source "$(dirname "$0")/common.sh"
command -v python3 >/dev/null || skip "no python3"
cd "$SOURCE"
said=$(complaints python3 tests/hygiene/names.py src)
grep -qx '[0-9]* names were looked at' <<<"$said" || check "names" "were not looked at"
check "static functions of one name in several files" "$(grep -v 'names were looked at' <<<"$said")"
finish
