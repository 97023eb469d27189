// x <- x + factor r, where r are the corrections of all lines; a factor for each lane of even and of odd rows, so that it may be every
// other line. START: x counts as zero.
#include "include/pass.glsl"

uniform sampler2D x, r;
uniform vec4 even, odd;
out vec4 y;

void main() {
  y = (fract(0.5 * floor(gl_FragCoord.y)) > 0.25 ? odd : even) * texel(r);
#ifndef START
  y += texel(x);
#endif
}
