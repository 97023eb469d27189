# A software renderer's textures lie where the program places them (src/program/memory.c): the driver must find its posix_memalign.
source "$(dirname "$0")/common.sh"

expect 0 info
prints '^Devices '
grep -q 'llvmpipe' "$log/out" || skip 'no llvmpipe'
LD_DEBUG=bindings TEXLA_DEVICE=llvmpipe "$TEXLA" info >"$log/out" 2>"$log/err"
grep -q 'binding file' "$log/err" || skip 'this system does not tell who finds which symbol'
grep 'posix_memalign' "$log/err" | grep -E '/(dri/|libgallium)' >"$log/bindings" || skip 'the driver has no posix_memalign'
mv "$log/bindings" "$log/err"
grep -qE "_dri\.so|libgallium" "$log/err" && ! grep -vqE "to [^ ]*/texla " "$log/err" || fail 'the driver takes another posix_memalign'
finish
