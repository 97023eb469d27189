// y <- x as one component with ghost points around it, for the bilinear filter: zero, the nearest point or, around a periodic axis, the
// opposite one; points at a side may count more.
#include "include/pass.glsl"

uniform sampler2D x;
uniform ivec2 size;  // of x, in points
uniform ivec4 ghost;  // low x, high x, low y, high y: 0 zero, 1 nearest, 2 opposite
uniform vec4 border; // factors of the points at these sides
out float y;

// The index of a point on an axis of n, and what it counts.
void lookUp(inout int i, inout float factor, int n, ivec2 sides, vec2 factors) {
  bool low = i < 0, high = i >= n;
  int side = low ? sides.x : high ? sides.y : 1;
  factor *= side == 0 ? 0. : 1.;
  factor *= (i == 0 ? factors.x : 1.) * (i == n - 1 ? factors.y : 1.);
  i = (low && side == 2) || (high && side != 2) ? n - 1 : low || high ? 0 : i;
}

void main() {
  ivec2 i = ivec2(gl_FragCoord.xy) - 1;
  float factor = 1.;
  lookUp(i.x, factor, size.x, ghost.xy, border.xy);
  lookUp(i.y, factor, size.y, ghost.zw, border.zw);
  y = factor * texelFetch(x, ivec2(i.x >> 2, i.y), 0)[i.x & 3];
}
