// A quad for each row of texels that was gathered: number 0 is the panel's top, number t + 1 the slot of pivot t.
layout(location = 0) in vec3 corner; // number, x and y of the corner, 0..1
uniform sampler2D moves;
uniform ivec3 from;  // the moves' row, rows of texels of the top, the panel's first row of texels
uniform vec2 extent; // of the target
uniform float left;  // its first column of texels that is touched
uniform vec2 gathered_texel;
noperspective out vec2 from_uv; // in what was gathered

void main() {
  float number = corner.x, top = float(from.y), first = float(from.z), size = top;
  float row = 0.;
  if (number > 0.) {
    float texel = texelFetch(moves, ivec2(int(number) - 1, from.x + 1), 0).x;
    first += texel;
    size = texel < 0. ? 0. : 1.;
    row = top + number - 1.;
  }
  vec2 at = vec2(mix(left, extent.x, corner.y), first + corner.z * size) / extent;
  from_uv = vec2(at.x, (row + corner.z * size) * gathered_texel.y);
  gl_Position = vec4(2. * at - 1., 0., 1.);
}
