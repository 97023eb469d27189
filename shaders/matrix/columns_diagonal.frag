// d_i <- a_ii
#include "matrix/columns.glsl"
#include "include/layout.glsl"

out vec4 d;

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
  int i = p.y * int(extent.x) + 4 * p.x;
  d = masked(vec4(entry(p, i).x, entry(p, i + 1).y, entry(p, i + 2).z, entry(p, i + 3).w));
}
