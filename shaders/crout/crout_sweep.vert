// Rectangles of sections: `corner` is a corner in texels, `begin` where the section's sums begin.
layout(location = 0) in vec2 corner;
layout(location = 1) in float begin;
uniform vec2 extent; // of the target, in texels
flat out float first;
flat out vec4 scalar;

void main() {
  first = begin;
  scalar = vec4(1.);
  gl_Position = vec4(2. * corner / extent - 1., 0., 1.);
}
