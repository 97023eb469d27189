# Files and names of strangers: what they hold is text, and nothing that a terminal or a page obeys.
source "$(dirname "$0")/common.sh"
expect 0 gen poisson2d 8 --out A.mtx

# A name that ends a page's script.
name='</script><img src=x onerror=alert(1)>&.mtx'
mkdir -p "$(dirname "$name")"
cp A.mtx "$name"
expect 0 solve "$name" --trace t
[ "$(grep -c '</script' t/index.html)" = 2 ] || fail "a page with $(grep -c '</script' t/index.html) ends of scripts"
grep -q '<img' t/index.html t/trace.json && fail 'a name is markup in a page'
grep -q 'u003c/script\\u003e\\u003cimg src=x onerror=alert(1)\\u003e\\u0026.mtx' t/index.html || fail 'the name is not in the page'
grep -q "Content-Security-Policy\" content=\"default-src 'none'; script-src 'sha256-" t/index.html || fail 'no policy'

# Control characters do not reach the terminal.
printf '%%%%MatrixMarket matrix coordinate real general\n2 2 1\n1 1 \033]0;owned\007\n' >escape.mtx
expect 2 solve escape.mtx
! grep -q $'[\033\007]' "$log/err" || fail 'an escape sequence reaches the terminal'
texla solve A.mtx --solver $'c\033[31mg'
! grep -q $'\033' "$log/err" || fail 'an option reaches the terminal as it is'

# Two outputs with one name, by whatever way; a link that leads nowhere; devices are no files.
mkdir folder
ln -s . folder/here
for other in x.mtx ./x.mtx folder/../x.mtx "$PWD/x.mtx"; do
  expect 2 solve A.mtx --out x.mtx --history "$other"
  complains 'two outputs would be the same file'
done
expect 2 factor A.mtx --out-l folder/f --out-u folder/here/f
complains 'two outputs would be the same file'
[ ! -e x.mtx ] && [ ! -e folder/f ] || fail 'a refused run leaves files'
expect 0 solve A.mtx --out /dev/null --history /dev/null
ln -s nowhere/x.mtx dangling
expect 2 solve A.mtx --out dangling
complains 'cannot write dangling'
[ -L dangling ] || fail 'a link that leads nowhere is replaced'

# A pipe that nobody writes into is given up; one with a writer is read.
mkfifo pipe
for command in 'solve pipe' 'solve A.mtx --rhs pipe' 'tridiag pipe'; do
  # shellcheck disable=SC2086
  timeout 60 "$TEXLA" $command >"$log/out" 2>"$log/err"
  [ $? = 2 ] || fail "texla $command: status $?"
done
(sleep 0.5; cat A.mtx >pipe) &
expect 0 solve pipe --quiet
wait
finish
