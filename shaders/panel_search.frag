// Candidates for the pivot of step k: fragment i <- the best of texels i, i + n, ..., n candidates in all.
#include "include/pivot.glsl"

out vec2 candidate;

void main() { candidate = bestOf(int(gl_FragCoord.x), search.y); }
