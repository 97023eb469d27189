// d_k <- a_kk of a 2 x 2 packed matrix, counted from the first entry of the texel `corner`. d is linear.
#include "include/layout.glsl"

uniform sampler2D a;
uniform ivec2 corner;
out vec4 d;

vec2 pair(int k) { return texelFetch(a, min(corner + k, textureSize(a, 0) - 1), 0).ra; }

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
  int k = 2 * (WIDTH * p.y + p.x);
  d = masked(vec4(pair(k), pair(k + 1)));
}
