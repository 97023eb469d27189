# Completion for texla's programs in bash. What there is to complete the programs say themselves (--help-as table), so that it is
# always what they take.

# _texla_complete WORD LINES: COMPREPLY <- those lines that begin with the word
_texla_complete() {
  local IFS=$'\n'
  COMPREPLY=($(compgen -W "$2" -- "$1"))
}

_texla() {
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command=() table row
  type "${COMP_WORDS[0]}" >/dev/null 2>&1 || return 0
  if [[ ${COMP_WORDS[0]##*/} == texla* && $COMP_CWORD -gt 1 && ${COMP_WORDS[1]} != -* ]]; then
    command=("${COMP_WORDS[1]}")
  fi
  table=$("${COMP_WORDS[0]}" "${command[@]}" --help-as table 2>/dev/null) || return 0
  if [ "$word" = = ]; then
    word=
  elif [ "$before" = = ]; then
    before=${COMP_WORDS[COMP_CWORD - 2]}
  fi
  row=$(awk -F '\t' -v name="$before" '$1 == name { print $2 "\t" $3 }' <<<"$table")
  case $row in
  choice*) _texla_complete "$word" "$(tr ' ' '\n' <<<"${row#*$'\t'}")" ;;
  *NAME*) _texla_complete "$word" "$(awk -F '\t' '$2 == "word" { print $1 }' <<<"$table")" ;;
  text*FILE* | text*DIR* | text*FOLDER* | text*.*) COMPREPLY=($(compgen -f -- "$word")) ;;
  text* | integer* | real* | size*) COMPREPLY=() ;;
  *)
    case $word in
    -*) _texla_complete "$word" "$(awk -F '\t' '/^--/ { print $1 }' <<<"$table")" ;;
    *) _texla_complete "$word" "$(awk -F '\t' '$2 == "word" { print $1 }' <<<"$table")"
      [ ${#COMPREPLY[@]} -gt 0 ] || COMPREPLY=($(compgen -f -- "$word")) ;;
    esac
    ;;
  esac
}
complete -o filenames -F _texla texla texla-mpi navier-stokes wave shallow-water lab interior-point
