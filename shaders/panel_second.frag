// Candidates for the pivot of step k + 1, before step k is done.
#include "include/choice.glsl"

flat in vec4 pivot, first;
out vec2 candidate;

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
  candidate = secondBestOf(p.x + search.z * p.y, search.z * search.w, first, pivot);
}
