// y <- P^T (b - A x) after START of colour_sweep.frag: the residual of black is zero, that of red is what black adds to it, -(A - D) x.
// Coarse points are the odd ones on both axes: red, at the places of y; bilinear weights are 1 for them and 1/4 for the red
// points at their corners.
#include "multigrid/colours.glsl"

uniform sampler2D black;
uniform vec2 black_texel;
out vec4 y;

vec4 fetch(vec2 p) { return textureLod(black, (p + 0.5) * black_texel, 0.); }

// A row of black, places h and h + 1.
struct Two {
  vec4 here, east;
};
Two twoAt(vec2 p) {
  vec4 here = fetch(p);
  return Two(here, vec4(here.yzw, nextTo(p.x, false) * fetch(p + vec2(1., 0.)).x));
}
vec4 westOf(vec2 p, vec4 here) { return vec4(nextTo(p.x, true) * fetch(p - vec2(1., 0.)).w, here.xyz); }

// What black adds to the red points of `row` between `south` and `north`, with `middle` beside them and `west` before that.
vec4 added(float row, vec4 west, vec4 middle, vec4 south, vec4 north) {
  return WEST * west + EAST * middle + southOf(row) * south + northOf(row) * north;
}

void main() {
  vec2 p = place(), centre = vec2(p.x, 2. * p.y + 1.), up = vec2(0., 1.);
  float row = centre.y;
  Two middle = twoAt(centre), below = twoAt(centre - up), above = twoAt(centre + up);
  Two south = twoAt(centre - 2. * up), north = twoAt(centre + 2. * up);
  vec4 corners = added(row - 1., westOf(centre - up, below.here), below.here, south.here, middle.here);
  vec4 more = added(row - 1., below.here, below.east, south.east, middle.east);
  if (row + 1. < size.y) {
    corners += added(row + 1., westOf(centre + up, above.here), above.here, middle.here, north.here);
    more += added(row + 1., above.here, above.east, middle.east, north.east);
  }
  corners += mix(vec4(0.), more, lessThan(8. * p.x + vec4(2., 4., 6., 8.), vec4(size.x)));
  vec4 sum = added(row, middle.here, middle.east, below.here, above.here) + 0.25 * corners;
  y = masked(-sum, 4. * p.x + vec4(0., 1., 2., 3.));
}
