// Column j of the triangle R in A V = V H = V Q R: row i of it is texel (i, j). The new column of H is h0 + h1, and |w| below
// its diagonal; earlier reflections (c s; s -c) come from the history, one texel an iteration.
//   texel (j, j)  (r_jj, |r_k+1|^2, c_j, s_j)
#include "include/pass.glsl"

uniform sampler2D h0, h1, history;
uniform int j, first; // first: slot of reflection 0

float entry(int i) { return texelFetch(h0, ivec2(i >> 2, 0), 0)[i & 3] + texelFetch(h1, ivec2(i >> 2, 0), 0)[i & 3]; }

out vec4 column;

void main() {
  int i = int(gl_FragCoord.x);
  float lower = entry(0), upper = lower;
  for (int l = 0; l < j && l <= i; l++) {
    vec2 cs = texelFetch(history, ivec2((first + l) & (HISTORY - 1), 0), 0).zw;
    float below = entry(l + 1);
    upper = cs.x * lower + cs.y * below;
    lower = cs.y * lower - cs.x * below;
  }
  bool live = scalar.z > 0. && scalar.y < 3e38;
  float rr = scalar.x, largest = max(abs(lower), sqrt(scalar.y));
  vec2 cs = vec2(lower, sqrt(scalar.y)) / largest;
  float size = length(cs);
  cs = largest > 0. ? cs / size : vec2(0., 1.);
  if (i < j)
    column = vec4(live ? upper : 0.);
  else
    column = live ? vec4(largest * size, cs.y * cs.y * rr, cs) : vec4(0., rr, 0., 1.);
  if (i == j && largest == 0.)
    column.x = 0.;
}
