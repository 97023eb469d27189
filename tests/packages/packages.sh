# Builds the packages with cpack, lets lintian look at them, and installs them in a small Debian that has what they depend on, a compiler,
# and nothing else. What they forget to depend on is missing there.
source "$(dirname "$0")/../hygiene/common.sh"
here=$(cd "$(dirname "$0")" && pwd)
source "$here/tree.sh"
for tool in "$CPACK" dpkg-deb dpkg-shlibdeps lintian chroot; do
  command -v "$tool" >/dev/null || skip "no $tool"
done
[ -x "$BINARY/bin/texla" ] && [ -x "$BINARY/bin/navier-stokes" ] || skip "no programs"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset MAKEFLAGS MAKELEVEL
(cd "$BINARY" && "$CPACK" -B "$work/packages") >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
rm -rf "$work/packages/_CPack_Packages"
packages=("$work"/packages/*.deb)
[ ${#packages[@]} -ge 5 ] || check "packages" "${packages[@]}"

check "lintian" "$(complaints lintian --allow-root --fail-on none "${packages[@]}" | grep -E '^(E:|lintian returns)|ldconfig|groff' || true)"
for package in "${packages[@]}"; do
  dpkg-deb -f "$package" Package Depends >>"$work/packages/names"
  dpkg-deb -c "$package" | awk '{ print $6 }'
done >"$work/files"
sed -n 's,^\./usr/bin/\(.\),\1,p' "$work/files" | while read -r program; do
  for file in "man/man1/$program.1.gz" "bash-completion/completions/$program"; do
    grep -qx "./usr/share/$file" "$work/files" || echo "$file"
  done
done >"$work/missing"
check "every program has a manual page and completion, but there is no" "$(cat "$work/missing")"

as_root=()
if [ "$(id -u)" -ne 0 ]; then
  as_root=(unshare --map-root-user)
  "${as_root[@]}" true 2>/dev/null || { echo "not root: the packages were not installed"; finish; }
fi
needed=$(sed -n 's/^Depends: //p' "$work/packages/names" | sed 's/([^)]*)//g; s/|[^,]*//g' | tr -d ',' | tr ' ' '\n' | grep -v texla | sort -u)
essential=$(dpkg-query -W -f '${Essential} ${Package}\n' | sed -n 's/^yes //p')
# shellcheck disable=SC2046,SC2086 # lists of words
grow "$work/tree" $(depends $essential $needed gcc libc6-dev make cmake pkg-config)
mv "$work/packages" "$work/tree/packages"
cp "$here/inside.sh" "$work/tree/inside.sh"
check "in a clean tree" "$("${as_root[@]}" chroot "$work/tree" /usr/bin/env -i /bin/sh /inside.sh 2>&1 || echo "it returns $?")"
[ -e "$work/tree/done" ] || check "inside.sh has not come to its end" "$work/tree/done"
finish
