# The messages that docs/guide/troubleshooting.md explains are those of the sources.
source "$(dirname "$0")/../hygiene/common.sh"
cd "$SOURCE"
messages=$(grep -oE '^### `[^`]+`' docs/guide/troubleshooting.md | cut -c 6- | tr -d '`')
# A text may go on in another literal on the next line.
sources=$(find src -name '*.c' -exec cat {} + | tr '\n' ' ' | sed -E 's/" +"//g')
check "no source says" "$(while read -r message; do
  grep -Fq -- "$message" <<<"$sources" || echo "$message"
done <<<"$messages")"
[ "$(wc -l <<<"$messages")" -gt 15 ] || check "messages that are explained" "$messages"
finish
