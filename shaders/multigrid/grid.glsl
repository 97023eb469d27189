// Nine-point operators on a grid (src/multigrid/grid.c). Coefficient k = 3 (dy + 1) + dx + 1 couples with the neighbour (dx, dy).
//   UNIFORM   away from the boundary: the coefficients are the same everywhere, and no neighbour lies outside
//   ELEMENTS  near the ends of a periodic axis: neighbours are looked up one by one; otherwise texels are shifted
// INNER_UNIFORM and RIM_ELEMENTS say so of the two programs of a pass (txPass.inside), of which one has RIM.
// Otherwise coefficients are textures over classes of texels and rows (src/multigrid/stencil.h); where a neighbour does not exist its
// coefficient is zero, so whatever is fetched there does not matter.
#include "include/pass.glsl"

#if defined(INNER_UNIFORM) && !defined(RIM)
#define UNIFORM
#endif
#if defined(RIM_ELEMENTS) && defined(RIM)
#define ELEMENTS
#endif

uniform vec4 class_range; // low and high of the texels, low and high of the rows
uniform vec2 class_texel;

float classOf(float p, vec2 range) {
  float q = p - range.x, parity = q - 2. * floor(0.5 * q);
  return p < range.x ? p : p < range.y ? range.x + parity : p - range.y + range.x + 2.;
}

// Where texel p of the grid finds its coefficients.
vec2 classAt(vec2 p) { return (vec2(classOf(p.x, class_range.xy), classOf(p.y, class_range.zw)) + 0.5) * class_texel; }

vec2 place() { return gl_FragCoord.xy - 0.5; }
bool oddRow(float row) { return fract(0.5 * row) > 0.25; }

uniform ivec4 grid; // columns, rows, is the axis periodic?

// Element `i` of an axis of n, wrapped or held inside.
int wrapped(int i, int n, int periodic) {
  i = periodic == 0 ? i : i < 0 ? i + n : i >= n ? i - n : i;
  return clamp(i, 0, n - 1);
}
