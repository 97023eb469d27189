// Of a panel that has been reflected, as a matrix, 2 x 2 packed: the vectors v, ones on the diagonal and zeros above; UPPER: its upper triangle.
#include "triangle/qr_panel.glsl"

uniform sampler2DArray panel, other; // where groups stand: in `other` those with a bit in in_other
uniform int in_other, columns;       // more are zero
out vec4 result;

vec2 pairAt(int j, int row) {
  int g = j >> 2;
  ivec3 at = ivec3(placeOf(row), g);
  vec4 v = (in_other >> g & 1) == 0 ? texelFetch(panel, at, 0) : texelFetch(other, at, 0);
  vec2 pair = (j & 2) == 0 ? v.xy : v.zw;
  ivec2 column = ivec2(j, j + 1);
#ifdef UPPER
  pair *= vec2(lessThanEqual(ivec2(row), column));
#else
  pair = mix(pair, vec2(equal(ivec2(row), column)), lessThanEqual(ivec2(row), column));
#endif
  return row < shape.x ? pair * vec2(lessThan(column, ivec2(columns))) : vec2(0.);
}

void main() {
  ivec2 p = 2 * ivec2(gl_FragCoord.xy);
  result = vec4(pairAt(p.x, p.y), pairAt(p.x, p.y + 1));
}
