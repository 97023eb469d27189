# Sourced by packages.sh: a small Debian in a folder, copied from the packages that are installed here.

# depends PACKAGE...: these and all that they depend on, as far as it is installed, one a line
depends() {
  dpkg-query -W -f '${Package}\t${Provides}\t${Pre-Depends},${Depends}\n' | sed 's/([^)]*)//g; s/:any//g' | awk -F '\t' -v wanted="$*" '
    { provides[$1] = $1; needs[$1] = needs[$1] "," $3
      count = split($2, name, /[ ,]+/)
      for (i = 1; i <= count; i++) if (!(name[i] in provides)) provides[name[i]] = $1 }
    END {
      last = split(wanted, todo, " ")
      while (last) {
        package = todo[last--]
        if (package in seen) continue
        seen[package] = 1
        print package
        count = split(needs[package], need, ",")
        for (i = 1; i <= count; i++) { # of alternatives the first that is there
          choices = split(need[i], choice, /[ |]+/)
          for (k = 1; k <= choices; k++)
            if (choice[k] != "" && choice[k] in provides) { todo[++last] = provides[choice[k]]; break }
        }
      }
    }' | sort -u
}

# grow TREE PACKAGE...: copies these packages into the tree, without documents, and tells its dpkg that they are installed
grow() {
  local tree=$1 part
  shift
  mkdir -p "$tree"/{dev,etc,proc,root,run,tmp,usr/{bin,sbin,lib,lib64},var/{cache/ldconfig,log,tmp,lib/dpkg/{info,triggers,updates}}}
  for part in bin sbin lib lib64; do
    ln -s "usr/$part" "$tree/$part"
  done
  { dpkg -L "$@" | grep '^/' | sed -E 's,^/(bin|sbin|lib|lib64)/,/usr/\1/,' | grep -vE '^/(\.|bin|sbin|lib|lib64|dev|proc|run|tmp|usr/share/(doc|man|locale|info|i18n)/.*)$'
    find /usr/bin /usr/lib -lname '/etc/alternatives/*'
    find /etc/alternatives
    echo /etc/passwd; echo /etc/group; } | sort -u | while read -r file; do
    [ ! -e "$file" ] && [ ! -L "$file" ] || echo "${file#/}"
  done | tar -C / --no-recursion -T - -cf - | tar -C "$tree" -xf -
  awk -v RS= -v ORS='\n\n' -v names="$*" 'BEGIN { split(names, list, " "); for (i in list) wanted[list[i]] = 1 } $2 in wanted' \
    /var/lib/dpkg/status >"$tree/var/lib/dpkg/status"
  for part in "$@"; do
    : >"$tree/var/lib/dpkg/info/$part.list"
  done
  mknod -m 666 "$tree/dev/null" c 1 3 2>/dev/null || : >"$tree/dev/null"
}
