// Candidates for the pivot of step k: each the best of every n-th row, n candidates in all.
#include "include/pivot.glsl"

out vec2 candidate;

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
  candidate = bestOf(p.x + search.z * p.y, search.z * search.w);
}
