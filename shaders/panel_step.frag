// Step k: eliminates column k with the pivot p. With l = a_ik / a_pk,
//   PLU     a_ij <- a_ij - l a_pj for the active rows i but p, j > k; column k itself keeps its values
//   JORDAN  a_ij <- a_ij - a_ik (a_pj / a_pk) for all rows i but p, a_pj <- a_pj / a_pk, all columns j; column k, which would
//           become a unit vector, holds the transformation instead: -a_ik / a_pk, and 1 / a_pk in row p
// Without a pivot nothing changes, but Gauss-Jordan clears what is not above the tolerance.
#include "include/panel.glsl"

uniform sampler2D panel;
uniform vec2 panel_texel;
uniform ivec2 search; // k
noperspective in vec2 uv;
flat in vec4 pivot, pivot_lane;
out vec4 result;

vec4 at(vec2 p) { return textureLod(panel, p, 0.); }
float coordinate(int column) { return (float(column) + 0.5) * panel_texel.x; }

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
  int k = search.x;
  vec4 own = at(uv);
  if (p.y == height) {
#ifdef JORDAN
    result = p.x == k ? pivot : own;
#else
    result = pivot;
#endif
    return;
  }
  vec4 is_pivot = p.y == int(pivot.z) ? pivot_lane : vec4(0.);
  vec4 column = at(vec2(coordinate(k), uv.y));
  float u = dot(pivot_lane, at(vec2(uv.x, pivot.w)));
#ifdef JORDAN
  if (p.x == columns)
    result = pivot.y == 0. ? own : mix(own, vec4(float(k + 1)), is_pivot);
  else if (pivot.y == 0.)
    result = p.x == k ? own * vec4(notEqual(at(vec2(coordinate(columns), uv.y)), vec4(0.))) : own;
  else if (p.x == k)
    result = mix(-own, vec4(1.), is_pivot) / pivot.y;
  else
    result = mix(own - column * (u / pivot.y), vec4(u / pivot.y), is_pivot);
#else
  vec4 state = at(vec2(coordinate(columns), uv.y));
  if (p.x == columns)
    result = mix(state, vec4(float(k + 1)), is_pivot);
  else if (pivot.y == 0.)
    result = own;
  else
    result = own - vec4(equal(state + is_pivot, vec4(0.))) * (column / pivot.y) * u;
#endif
}
