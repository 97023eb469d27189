# Each option of a program with its value missing, empty and wrong: a message that lacks none of its arguments.
source "$(dirname "$0")/../cli/common.sh"
name=$(basename "$TEXLA")

# complete STATUS WORDS...: STATUS is a pattern; a message names the program, and no text in it is missing
complete() {
  texla "${@:2}"
  [[ "$status" =~ ^($1)$ ]] || fail "$name ${*:2} returned $status, not $1"
  ! grep -qF '(null)' "$log/out" "$log/err" || fail "$name ${*:2} prints (null)"
  [ "$status" -eq 0 ] || complains "^$name: ."
}
tried=0
while read -r option kind; do
  tried=$((tried + 1))
  if [ "$kind" = flag ]; then
    complete 2 "$option=yes"
    continue
  fi
  complete 2 "$option"
  complete 2 "$option="
  case $option in
    --scene | --with | --equations | --set | --load) complete 2 "$option=no%such = ;" ;;
    *) [ "$kind" = text ] || complete 2 "$option=no%such" ;;
  esac
done < <("$TEXLA" --help-as table | awk -F '\t' '$1 ~ /^--/ { print $1, $2 }')
[ "$tried" -ge 20 ] || fail "$name lists $tried options, not twenty or more"
finish
