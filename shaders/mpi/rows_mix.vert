// A quad for each row of texels of the target that is written: its two rows of numbers are any two of the source.
layout(location = 0) in vec2 corner; // in the target, in texels
layout(location = 1) in vec2 rows;   // of the source, numbered from 0; negative: zeros
uniform vec2 extent;                 // of the target
flat out vec2 from_rows;

void main() {
  from_rows = rows;
  gl_Position = vec4(2. * corner / extent - 1., 0., 1.);
}
