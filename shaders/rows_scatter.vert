// A quad for each row of texels that was gathered: number 0 is the panel's top, number t + 1 the slot of pivot t.
layout(location = 0) in vec3 corner; // number, x and y of the corner, 0..1
uniform sampler2D moves;
uniform ivec3 from;  // the moves' row, rows of texels of the top, the panel's first row of texels
uniform vec2 extent; // of the target
uniform float left;  // its first column of texels that is touched
flat out float shift; // from a row of the target to the one gathered

void main() {
  float number = corner.x, top = float(from.y), first = float(from.z), size = top;
  shift = -first;
  if (number > 0.) {
    float texel = texelFetch(moves, ivec2(int(number) - 1, from.x + 1), 0).x;
    first += texel;
    size = texel < 0. ? 0. : 1.;
    shift = top + number - 1. - first;
  }
  vec2 at = vec2(mix(left, extent.x, corner.y), first + corner.z * size) / extent;
  gl_Position = vec4(2. * at - 1., 0., 1.);
}
