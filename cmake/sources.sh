# What libraries.sh of windows/ and web/ share: libraries compiled from Debian's source packages into $folder. To be sourced.

# fetch_sources NAME...: source packages come from the mirror that apt takes packages from, by a list of our own: the system's stay as
# they are.
fetch_sources() {
  cd "$folder/sources"
  mkdir -p parts lists/partial cache/archives/partial
  local suite mirror
  suite=$(. /etc/os-release && echo "${VERSION_CODENAME:-stable}")
  mirror=$(apt-get indextargets --format '$(REPO_URI) $(CODENAME)' | sed -n "s/ $suite\$//p" | head -n 1)
  [ -n "$(ls ./*.dsc 2>/dev/null)" ] && return
  [ -n "$mirror" ] || { echo "apt knows no mirror for $suite: apt-get update first" >&2; exit 1; }
  echo "deb-src $mirror $suite main" >parts/texla.list
  local options=(-qq -o Dir::Etc::SourceList=/dev/null -o Dir::Etc::SourceParts="$PWD/parts" -o Dir::State::Lists="$PWD/lists"
    -o Dir::Cache="$PWD/cache" -o APT::Sandbox::User=)
  apt-get "${options[@]}" update
  apt-get "${options[@]}" source --download-only "$@"
}

# unpack_sources NAME: NAME's sources, as their authors released them, in sources/NAME
unpack_sources() {
  rm -rf "$folder/sources/$1"
  mkdir -p "$folder/sources/$1"
  find "$folder/sources" -maxdepth 1 -name "$1_*.orig.tar.*" ! -name '*.asc' -exec tar -C "$folder/sources/$1" --strip-components=1 -xf {} \;
}

# with_cmake NAME OPTION...: unpacks, builds and installs it into $folder; $toolchain are options for all.
with_cmake() {
  local name=$1
  shift
  unpack_sources "$name"
  cmake -S "$folder/sources/$name" -B "$folder/sources/$name/build" "${toolchain[@]}" "$@" >/dev/null
  cmake --build "$folder/sources/$name/build" -j"${JOBS:-2}" >/dev/null
  cmake --install "$folder/sources/$name/build" >/dev/null
}
