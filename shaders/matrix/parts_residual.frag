// r <- b + the sum of `parts` images of r that lie one above the other, in double-float.
#include "matrix/residual.glsl"

uniform sampler2D partial, partial_low;
uniform vec2 partial_texel;
uniform int height, parts;

void main() {
  vec2 p = gl_FragCoord.xy;
  pairs total = pairs(vec4(0.), vec4(0.));
  for (int first = 0; first < parts; first += 8) {
    int last = min(first + 8, parts);
    pairs sum = pairs(vec4(0.), vec4(0.));
    for (int k = first; k < last; k++) {
      vec2 q = vec2(p.x, p.y + float(k * height)) * partial_texel;
      accumulate(sum, pairs(textureLod(partial, q, 0.), textureLod(partial_low, q, 0.)));
    }
    total = joined(total, sum);
  }
  finish(total);
}
