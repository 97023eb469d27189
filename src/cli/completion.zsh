#compdef texla texla-mpi navier-stokes wave shallow-water lab interior-point
# Completion for texla's programs in zsh, from what they say of themselves (--help-as table).
local -a command rows options names
local row name kind values text
if [[ ${words[1]:t} == texla(|-mpi) && CURRENT -gt 2 && ${words[2]} != -* ]]; then
  command=(${words[2]})
fi
rows=("${(@f)$(${words[1]} $command --help-as table 2>/dev/null)}")
for row in $rows; do
  local -a part=("${(@ps:\t:)row}")
  name=$part[1] kind=$part[2] values=$part[3] text=$part[4]
  [[ $kind == word ]] && names+=("$name:$text") || options+=("$name:$text")
  [[ $name == ${words[CURRENT-1]} ]] || continue
  case $kind/$values in
  choice/*) compadd -- ${=values}; return ;;
  text/*NAME*) kind=names ;;
  text/*(FILE|DIR|FOLDER|.)*) _files; return ;;
  flag/*) ;;
  *) _message "$values"; return ;;
  esac
done
if [[ $PREFIX == -* ]]; then
  _describe option options
else
  _describe name names || _files
fi
