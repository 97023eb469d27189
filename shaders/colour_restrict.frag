// y <- P^T (b - A x) after START of colour_sweep.frag: the residual of black is zero, that of red is what black adds to it, -(A - D) x.
// Coarse points are the odd ones on both axes: red, at the places of y; bilinear weights are 1 for them and 1/4 for the red
// points at their corners.
#include "include/colours.glsl"

uniform sampler2D black;
uniform vec2 black_texel;
uniform vec2 size; // points of the fine grid
out vec4 y;

vec4 fetch(vec2 p) { return textureLod(black, (p + 0.5) * black_texel, 0.); }

// A row of black, places h and h + 1.
struct Two {
  vec4 here, east;
};
Two twoAt(vec2 p) {
  vec4 here = fetch(p);
  return Two(here, vec4(here.yzw, fetch(p + vec2(1., 0.)).x));
}

// Red points in the row between `south` and `north`, with `middle` beside them and `west` before that.
vec4 residual(vec4 west, vec4 middle, vec4 south, vec4 north) {
  return WEST * west + EAST * middle + SOUTH * south + NORTH * north;
}

void main() {
  vec2 p = place(), centre = vec2(p.x, 2. * p.y + 1.), up = vec2(0., 1.), left = vec2(1., 0.);
  Two middle = twoAt(centre), below = twoAt(centre - up), above = twoAt(centre + up);
  Two south = twoAt(centre - 2. * up), north = twoAt(centre + 2. * up);
  vec4 west0 = vec4(fetch(centre - up - left).w, below.here.xyz), west1 = vec4(fetch(centre + up - left).w, above.here.xyz);
  vec4 corners = residual(west0, below.here, south.here, middle.here), more = residual(below.here, below.east, south.east, middle.east);
  if (centre.y + 1. < size.y) {
    corners += residual(west1, above.here, middle.here, north.here);
    more += residual(above.here, above.east, middle.east, north.east);
  }
  corners += mix(vec4(0.), more, lessThan(8. * p.x + vec4(2., 4., 6., 8.), vec4(size.x)));
  y = masked(-(residual(middle.here, middle.east, below.here, above.here) + 0.25 * corners), 4. * p.x + vec4(0., 1., 2., 3.));
}
