// A reflection applied to GROUPS groups of a panel, from group FIRST on, the one with column k; and the sums for the next one. NEXT: the group with column
// k + 1, counted from FIRST.
#include "triangle/qr_panel.glsl"

uniform sampler2DArray panel;
flat in vec4 times[GROUPS];
flat in vec2 reflection;
layout(location = 0) out vec4 result[GROUPS];

vec4 own[GROUPS];

// own <- the row after the reflection; its v is in column k.
void reflectRow(int row) {
  vec4 lane = vec4(equal(ivec4(shape.w & 3), ivec4(0, 1, 2, 3)));
  for (int g = 0; g < GROUPS; g++)
    own[g] = texelFetch(panel, ivec3(placeOf(row), FIRST + g), 0);
  float v = row > shape.w ? dot(own[0], lane) * reflection.x : row == shape.w ? 1. : 0.;
  float kept = row > shape.w ? v : row == shape.w ? reflection.y : dot(own[0], lane);
  for (int g = 0; g < GROUPS; g++)
    own[g] -= v * times[g];
  own[0] = mix(own[0], vec4(kept), lane);
}

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
  for (int g = 0; g < GROUPS; g++)
    result[g] = vec4(0.);
  if (p.y < shape.y) {
    reflectRow(p.x + 128 * p.y);
    for (int g = 0; g < GROUPS; g++)
      result[g] = own[g];
  } else if (p.x < shape.z) {
    int first = shape.w + 2, row = first + (p.x - first % shape.z + shape.z) % shape.z;
    for (; row < shape.x; row += shape.z) {
      reflectRow(row);
      float head = own[NEXT][(shape.w + 1) & 3];
      for (int g = 0; g < GROUPS; g++)
        result[g] += head * own[g];
    }
  }
}
