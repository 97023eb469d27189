# texla is not OpenCL: both headers live side by side, in either order.
source "$(dirname "$0")/common.sh"
flags=(-std=c11 -Wall -Wextra -Werror -DCL_TARGET_OPENCL_VERSION=300 -fsyntax-only -x c -)

"$CC" "${flags[@]}" <<<'#include <CL/cl.h>' 2>/dev/null || skip "no CL/cl.h (package opencl-c-headers)"
refuses "$CC" "${flags[@]}"
check "texla.h after CL/cl.h" "$(complaints "$CC" -I"$SOURCE/include" "${flags[@]}" <<<'#include <CL/cl.h>
#include <texla/texla.h>')"
check "texla.h before CL/cl.h" "$(complaints "$CC" -I"$SOURCE/include" "${flags[@]}" <<<'#include <texla/texla.h>
#include <CL/cl.h>')"
finish
