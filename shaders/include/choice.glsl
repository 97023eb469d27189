// The choice of pivots, by whoever knows the candidates.
#include "include/pivot.glsl"

// The best of the candidates: (measure, row).
vec2 bestCandidate(sampler2D candidates) {
  vec2 best = vec2(-1.);
  for (int y = 0; y < search.w; y++)
    for (int x = 0; x < search.z; x++) {
      vec2 c = texelFetch(candidates, ivec2(x, y), 0).xy;
      if (c.x > best.x || (c.x == best.x && c.y < best.y))
        best = c;
    }
  return best.x < 0. ? vec2(-1.) : best;
}

// (row or -1, value or 0, number of the step, lane of its column)
vec4 pivotOf(float row, float value, int step) {
  return vec4(row, abs(value) > tolerance ? value : 0., float(step), float(step & 3));
}

// What step p.z subtracts from group g of a row times the row's multiplier, made of the pivot's row; JORDAN: that row to be. Zeros behind
// the panel's columns.
vec4 subtractOf(int g, vec4 row, vec4 p) {
  vec4 j = 4. * float(g) + vec4(0., 1., 2., 3.), in_panel = vec4(lessThan(j, vec4(30.)));
#ifdef JORDAN
  return p.y == 0. ? vec4(0.) : in_panel * mix(row, vec4(1.), equal(j, vec4(p.z))) / p.y;
#else
  return in_panel * row * vec4(greaterThan(j, vec4(p.z)));
#endif
}

// Group g of an active row after step k, whose pivot's row is another; v: its group with column k, first: subtractOf for this group.
vec4 afterFirst(int g, vec4 row, vec4 v, vec4 first, vec4 p) {
  float l = v[search.y];
#ifdef JORDAN
  if (g == search.x / 4)
    row[search.y] = p.y == 0. ? row[search.y] : 0.;
#else
  l = p.y == 0. ? 0. : l / p.y;
#endif
  return row - l * first;
}

// As bestOf, for column k + 1 after step k; first: subtractOf for the group with both columns.
vec2 secondBestOf(int start, int stride, vec4 first, vec4 p) {
  vec2 best = vec2(-1., 1e9);
  for (int row = start; first_row + row < matrix.x; row += stride) {
    ivec2 at = placeOf(row);
    vec4 v = texelFetch(column, at, 0);
    float m = abs(afterFirst(search.x / 4, v, v, first, p)[search.y + 1]);
    if (m > best.x && !takesRow(p, float(row)) && texelFetch(last, at, 0).z == 0.)
      best = vec2(m, float(row));
  }
  return best;
}
