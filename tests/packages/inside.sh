# Runs in the clean tree, where /packages has the packages: installs them, uses each as its reader would, and removes them again.
set -eu
export PATH=/usr/sbin:/usr/bin HOME=/root TEXLA_DEVICE=llvmpipe LC_ALL=C.UTF-8
cd /root

# step NAME COMMAND...: says the name and what was printed when the command fails
step() {
  name=$1
  shift
  "$@" >log 2>&1 </dev/null || { echo "$name: $* returns $?:"; tail -n 20 log; exit 1; }
}
step 'the packages install with what they depend on' dpkg -i /packages/*.deb
for program in $(dpkg -L texla texla-demos | grep '^/usr/bin/.'); do
  step "$program finds its libraries" sh -c "! ldd $program | grep 'not found'"
  step "$program runs" "$program" --version
done
step 'texla info' sh -c "texla info | grep llvmpipe"
step 'texla solves' sh -c "texla gen poisson2d 40 --out A.mtx && texla solve A.mtx --solver auto --out x.mtx | grep '^Solved'"
step 'a demo draws' navier-stokes --scene smoke --headless --frames 2 --out frames
step 'with pictures' test -s frames/smoke-0001.png
cp -r /usr/share/texla/examples project
step 'the examples build with CMake' sh -c "cmake -S project -B built && cmake --build built"
for example in 'solve A.mtx' own_kernel shell_operator; do
  step 'an example runs' sh -c "built/$example"
done
step 'pkg-config' sh -c "cc project/solve.c \$(pkg-config --cflags --libs texla) -lm -o solve && ./solve A.mtx | grep '^converged'"
if dpkg -s python3-texla >/dev/null 2>&1; then
  step 'Python' python3 -c "import numpy as n, texla; x = texla.solve(n.diag([2., 4., 8.]), n.ones(3)); assert abs(x - [.5, .25, .125]).max() < 1e-12"
fi
if dpkg -s texla-mpi >/dev/null 2>&1; then
  step 'texla-mpi finds its libraries' sh -c "! ldd /usr/bin/texla-mpi | grep 'not found'"
fi
step 'the packages can be removed' dpkg -r $(sed -n 's/^Package: //p' /packages/names)
left=$(find /usr /etc -name '*texla*')
[ -z "$left" ] || { echo "left behind: $left"; exit 1; }
: >/done
