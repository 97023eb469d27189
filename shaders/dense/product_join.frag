// The tiles of the product into their places: C <- alpha tile + beta C
#include "dense/dense.glsl"

uniform sampler2DArray tiles; // row by row
uniform sampler2D c;
uniform vec2 corner; // of C's texels in the target
uniform vec3 tile;   // width, height, number of tiles in a row
uniform vec4 factor; // alpha, beta, shift of C
out vec4 result;

void main() {
  vec2 p = gl_FragCoord.xy - corner, s = p / tile.xy, number = floor(s);
  vec4 v = factor.x * textureLod(tiles, vec3(s - number, number.x + tile.z * number.y), 0.);
#ifdef C
  v += factor.y * texelFetch(c, ivec2(gl_FragCoord.xy + factor.zw), 0);
#endif
  result = maskedBlock(v);
}
