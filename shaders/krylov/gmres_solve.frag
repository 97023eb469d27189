// Back substitution R y = g, four columns a pass from the last ones on: texel `block` of y turns from what is left of g into
// y, and its part is taken off the rows above. With START, y is g itself: g_j = c_j |r_j|.
#include "include/pass.glsl"

uniform int block, count; // count: columns of R
#ifdef START
uniform sampler2D history;
uniform int first; // slot of iteration 0 of the cycle
#else
uniform sampler2D triangle, y;
#endif
out vec4 y_next;

#ifndef START
float R(int i, int j) { return j < count && i <= j ? texelFetch(triangle, ivec2(i, j), 0).x : 0.; }
#endif

void main() {
  int texelIndex = int(gl_FragCoord.x);
#ifdef START
  for (int lane = 0; lane < 4; lane++) {
    int j = 4 * texelIndex + lane;
    float rr = texelFetch(history, ivec2((first + j) & (HISTORY - 1), 0), 0).y;
    float c = texelFetch(history, ivec2((first + j + 1) & (HISTORY - 1), 0), 0).z;
    y_next[lane] = j < count ? c * sqrt(rr) : 0.;
  }
#else
  vec4 g = texelFetch(y, ivec2(block, 0), 0);
  int j = 4 * block;
  for (int b = 3; b >= 0; b--) {
    g[b] = divZ(g[b], R(j + b, j + b));
    for (int a = 0; a < b; a++)
      g[a] -= R(j + a, j + b) * g[b];
  }
  y_next = texelFetch(y, ivec2(texelIndex, 0), 0);
  if (texelIndex == block)
    y_next = g;
  else if (texelIndex < block)
    for (int lane = 0; lane < 4; lane++)
      for (int b = 0; b < 4; b++)
        y_next[lane] -= R(4 * texelIndex + lane, j + b) * g[b];
#endif
}
