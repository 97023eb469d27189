#!/usr/bin/env bash
# release.sh FOLDER [PART...]: the files of a release in FOLDER, and SHA256SUMS of them. Parts: source deb wheel windows npm (all
# of them without a choice). The checkout must have no changes that are not committed.
set -euo pipefail
cd "$(dirname "$0")/.."
mkdir -p "$1"
out=$(realpath "$1")
shift
[ $# -gt 0 ] || set -- source deb wheel windows npm
[ -z "$(git status --porcelain)" ] || { echo "release: changes that are not committed: commit or stash them" >&2; exit 1; }
version=$(sed -n 's/^#define TEXLA_VERSION "\(.*\)"$/\1/p' include/texla/version.h)
for part in "$@"; do
  case $part in
  source) git archive --format=tar --prefix="texla-$version/" HEAD | gzip -9n >"$out/texla-$version.tar.gz" ;;
  deb) make deb && cp build-deb/*.deb "$out" ;;
  wheel) PYTHONPATH=python python3 -c 'import sys, build_backend; build_backend.build_wheel(sys.argv[1])' "$out" ;;
  windows) make windows && cp build-windows/texla-*-windows.zip "$out" ;;
  npm) make web && tar -C build/web --sort=name --owner=0 --group=0 --transform 's,^texla,package,' -czf "$out/texla-$version-npm.tgz" texla ;;
  *) echo "release: no part '$part': source, deb, wheel, windows or npm" >&2 && exit 1 ;;
  esac
done
cd "$out"
rm -f SHA256SUMS
sha256sum -- * >SHA256SUMS
cat SHA256SUMS
echo "Now sign: git tag -s v$version -m 'texla $version' && git verify-tag v$version"
