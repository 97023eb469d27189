// Joins parts, images of y that lie one above the other: part k of the target <- the sum over parts [span k, span (k + 1)).
//   LAST  the target is y itself: y <- ca s + cb b
#ifdef LAST
#include "include/combine.glsl"
#include "include/layout.glsl"
#endif
uniform sampler2D partial;
uniform vec2 partial_texel;
uniform int height, parts, span; // of an image; of the source; in a sum
out vec4 y;

void main() {
  vec2 p = gl_FragCoord.xy;
  int row = int(p.y), to = row / height, end = min((to + 1) * span, parts);
  float base = p.y - float(to * height);
  vec4 sum = vec4(0.);
  for (int first = to * span; first < end; first += 8) {
    int last = min(first + 8, end);
    vec4 group = vec4(0.);
    for (int k = first; k < last; k++)
      group += textureLod(partial, vec2(p.x, base + float(k * height)) * partial_texel, 0.);
    sum += group;
  }
#ifdef LAST
  y = masked(combined(sum));
#else
  y = sum;
#endif
}
