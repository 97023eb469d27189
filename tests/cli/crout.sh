# texla bench crout and precond: a folder of matrices, the table that a run goes on with, and the page, in a browser where there is one.
source "$(dirname "$0")/common.sh"

mkdir set
expect 0 gen spd 40 1 --condition 50 --out set/spd.mtx
expect 0 gen dominant 30 2 --out set/dominant.mtx
expect 0 gen poisson2d 8 --out set/poisson.mtx
printf '%%%%MatrixMarket matrix coordinate real general\n2 2 2\n1 2 1\n2 1 1\n' >set/swap.mtx
printf '%%%%MatrixMarket matrix coordinate real general\n2 3 1\n1 2 1\n' >set/wide.mtx
printf 'no matrix\n' >set/broken.mtx

expect 0 bench crout set --quick --html page
prints '^spd '
prints '^swap .*zero or not finite: CM double pivot 1, CM pivot 1, ICM pivot 1'
prints '^wide .*2 x 3, not square'
prints 'difference_icm +of 3 matrices: mean .*, largest .*, median .*, deviation'
prints 'error_icm +of 3 matrices: mean'
prints 'study dense, entries'

complains 'broken.mtx is left out'
[ "$(wc -l <page/crout.csv)" -eq 6 ] || fail "crout.csv has $(wc -l <page/crout.csv) lines, not 6"
grep -q '4 of 6  spd  done' page/crout.log || fail 'the log does not tell of spd'

# errors are those of single and double precision
awk -F, '$1 == "spd" || $1 == "poisson" || $1 == "dominant" { n++; if (!($9 < 1e-5 * $8 && $10 < 1e-13 * $8 && $11 < 1e-5 * $8)) bad = 1 }
  END { exit bad || n != 3 }' page/crout.csv || fail 'an error is too large'

# an interrupted run: the last row is cut off; only that one is measured again
head -n 4 page/crout.csv >page/short
tail -n 1 page/crout.csv | cut -c 1-12 >>page/short
mv page/short page/crout.csv
: >page/crout.log
expect 0 bench crout set --quick --html page
[ "$(wc -l <page/crout.csv)" -eq 6 ] || fail 'the table is not whole after going on'
[ "$(grep -c begins page/crout.log)" -eq 2 ] || fail "measured again: $(grep -c begins page/crout.log) matrices, not 2"

# preconditioners: the same machinery; jacobi alone cannot solve what has a zero diagonal
expect 0 bench precond set --quick --html systems
prints '^poisson +64 +288 cg +[0-9]+ '
prints '^dominant +30 +900 bicgstab '
prints '^swap .*jacobi: '
prints '^wide .*2 x 3, not square'
prints 'incomplete solved [34] of '
[ "$(wc -l <systems/precond.csv)" -eq 6 ] || fail "precond.csv has $(wc -l <systems/precond.csv) lines, not 6"
grep -q '"iterations_incomplete"' systems/figures.json || fail 'no iterations in figures.json'
sed -i '3,$d' systems/precond.csv
: >systems/precond.log
expect 0 bench precond set --quick --html systems
[ "$(wc -l <systems/precond.csv)" -eq 6 ] || fail 'the table of systems is not whole after going on'
[ "$(grep -c begins systems/precond.log)" -eq 4 ] || fail "solved again: $(grep -c begins systems/precond.log) matrices, not 4"

# any suite has a page; what the page needs is in it
expect 0 bench vector --quick --runs 1 --size 64 --html vector
grep -q '"name": "axpy"' vector/figures.json || fail 'no axpy in figures.json'
grep -qE '(src|href)=' page/index.html && fail 'the page refers to other files'
refuses 'exclude each other' bench vector --json --html x
refuses "unknown suite 'nonsense'" bench nonsense

chromium=$(command -v chromium || command -v chromium-browser || command -v google-chrome) || {
  echo "no chromium: the page was not opened"
  finish
}
# A script behind the page's own does what a reader does, and leaves what it sees in the document.
cat >script <<'END'
<script>
const said = [], check = (what, good) => said.push((good ? "good: " : "BAD: ") + what);
const section = [...document.querySelectorAll("section")].find(s => s.querySelector("h2").textContent === "crout · matrix");
const column = name => [...section.querySelectorAll("th")].findIndex(th => th.dataset.column === name);
const cells = name => [...section.querySelectorAll("tbody tr")].map(tr => tr.children[column(name)].textContent);
const sort = name => section.querySelectorAll("th button")[column(name)].click();
check("five matrices", cells("matrix").length === 5);
sort("n");
check("ascending " + cells("n"), cells("n").join() === "2,2,30,40,64");
sort("n");
check("descending " + cells("n"), cells("n").join() === "64,40,30,2,2");
check("aria-sort", section.querySelectorAll("th")[column("n")].getAttribute("aria-sort") === "descending");
const filter = section.querySelector("input");
filter.value = "n>35";
filter.dispatchEvent(new Event("input"));
check("filtered " + cells("matrix"), cells("matrix").join() === "poisson,spd");
filter.value = "not square";
filter.dispatchEvent(new Event("input"));
check("found " + cells("matrix"), cells("matrix").join() === "wide");
const before = getComputedStyle(document.body).backgroundColor;
document.getElementById("theme").click();
check("theme " + before, getComputedStyle(document.body).backgroundColor !== before);
check("device", document.getElementById("meta").textContent.includes("date"));
check("plots", section.querySelectorAll("figure > svg .mark").length >= 3 * 3);
document.dispatchEvent(new KeyboardEvent("keydown", {key: "/"}));
check("keyboard", document.activeElement.type === "search");
document.body.replaceChildren(said.join("\n") + "\n");
</script>
END
grep -q 'Content-Security-Policy' page/index.html || fail 'the page has no policy'
sed '/Content-Security-Policy/d; /<\/body>/d; /<\/html>/d' page/index.html >tried.html # it would not let this script run
cat script >>tried.html
timeout 120 "$chromium" --headless --no-sandbox --disable-gpu --no-first-run --disable-background-networking \
  --disable-component-update --disable-sync --user-data-dir="$work/profile" --dump-dom "file://$work/tried.html" >dom 2>/dev/null
grep -c '^good: \|>good: ' dom >count || true
[ "$(cat count)" -eq 10 ] || fail "the page in chromium: $(grep -E 'good:|BAD:' dom || echo 'nothing was said')"
grep -E 'BAD:' dom && fail 'the page in chromium'
finish
