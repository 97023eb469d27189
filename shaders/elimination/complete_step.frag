// Eliminates with the pivot in row p, column q; l = a_iq / a_pq:
//   PLU     a_ij <- a_ij - l a_pj and a_iq <- l for the rows and columns that were no pivots yet
//   JORDAN  a_ij <- a_ij - a_iq (a_pj / a_pq) for all but row p, a_pj <- a_pj / a_pq, and column q a unit vector
// Without a pivot, what is left is below the tolerance and becomes zero.
#include "elimination/complete.glsl"

flat in vec4 pivot;
out vec4 result;

void main() {
  ivec2 t = ivec2(gl_FragCoord.xy), at = ivec2(pivot.yz);
  vec4 own = texelFetch(a, t, 0), row = alive(t.y, 0).rrgg, column = alive(t.x, 1).rgrg;
  if (pivot.x == 0.) {
    result = own * (1. - row * column);
    return;
  }
  vec4 l = texelFetch(a, ivec2(at.y / 2, t.y), 0), u = texelFetch(a, ivec2(t.x, at.x / 2), 0);
  l = at.y % 2 == 0 ? l.rrbb : l.ggaa;
  u = at.x % 2 == 0 ? u.rgrg : u.baba;
  vec4 in_row = vec4(equal(2. * float(t.y) + vec4(0., 0., 1., 1.), vec4(pivot.y)));
  vec4 in_column = vec4(equal(2. * float(t.x) + vec4(0., 1., 0., 1.), vec4(pivot.z)));
#ifdef JORDAN
  vec4 scaled = u / pivot.x;
  result = mix(mix(own - l * scaled, scaled, in_row), in_row, in_column);
#else
  vec4 factor = l / pivot.x * row * (1. - in_row);
  result = mix(own - factor * u * column, mix(own, factor, row * (1. - in_row)), in_column);
#endif
}
