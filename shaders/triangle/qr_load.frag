// A panel from a matrix of its columns, 2 x 2 packed, times a power of two; and the sums for its first reflection.
#include "triangle/qr_panel.glsl"

uniform sampler2D a;
uniform ivec2 from; // first row, columns
uniform float unit;
layout(location = 0) out vec4 group[8];

vec2 pairAt(int column, int row) {
  vec4 v = texelFetch(a, ivec2(column, from.x + row) / 2, 0);
  return column >= from.y || row >= shape.x ? vec2(0.) : unit * (((from.x + row) & 1) == 0 ? v.rg : v.ba);
}

vec4 groupAt(int g, int row) { return vec4(pairAt(4 * g, row), pairAt(4 * g + 2, row)); }

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
  bool sums = p.y == shape.y;
  int row = p.x + 128 * p.y;
  for (int g = 0; g < 8; g++)
    group[g] = sums ? vec4(0.) : groupAt(g, row);
  if (sums && p.x < shape.z)
    for (row = p.x == 0 ? shape.z : p.x; row < shape.x; row += shape.z) {
      float head = groupAt(0, row).x;
      for (int g = 0; g < 8; g++)
        group[g] += head * groupAt(g, row);
    }
}
