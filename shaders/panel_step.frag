// Step k: eliminates column k with the pivot p. With l = a_ik / a_pk,
//   PLU     a_ij <- a_ij - l a_pj for the active rows i but p, j > k; column k itself keeps its values
//   JORDAN  a_ij <- a_ij - a_ik (a_pj / a_pk) for all rows i but p, a_pj <- a_pj / a_pk, all columns j; column k, which would
//           become a unit vector, holds the transformation instead: -a_ik / a_pk, and 1 / a_pk in row p
// Without a pivot nothing changes, but Gauss-Jordan clears what is not above the tolerance.
#include "include/panel.glsl"

uniform sampler2D panel;
uniform ivec2 search; // k
flat in vec4 pivot, pivot_lane;
out vec4 result;

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
  int k = search.x;
#ifdef JORDAN
  if (p.y == height) {
    result = p.x == k ? pivot : texelFetch(panel, p, 0);
#else
  if (p.y == height) {
    result = pivot;
#endif
    return;
  }
  int texel = int(pivot.z);
  vec4 state = texelFetch(panel, ivec2(columns, p.y), 0), own = texelFetch(panel, p, 0);
  vec4 column = texelFetch(panel, ivec2(k, p.y), 0), is_pivot = p.y == texel ? pivot_lane : vec4(0.);
  float u = dot(pivot_lane, texelFetch(panel, ivec2(p.x, max(texel, 0)), 0));
  vec4 alive = vec4(equal(state, vec4(0.)));
#ifdef JORDAN
  if (p.x == columns)
    result = pivot.y == 0. ? state : mix(state, vec4(float(k + 1)), is_pivot);
  else if (pivot.y == 0.)
    result = p.x == k ? own * (1. - alive) : own;
  else if (p.x == k)
    result = mix(-own, vec4(1.), is_pivot) / pivot.y;
  else
    result = mix(own - column * (u / pivot.y), vec4(u / pivot.y), is_pivot);
#else
  if (p.x == columns)
    result = mix(state, vec4(float(k + 1)), is_pivot);
  else if (pivot.y == 0.)
    result = own;
  else
    result = own - alive * (1. - is_pivot) * (column / pivot.y) * u;
#endif
}
