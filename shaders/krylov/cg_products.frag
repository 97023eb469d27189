// Partial results of the products of a step, (p.q, r.r, q.Mq, r.Mr) with M = 1 or a diagonal: each over 128 texels.
//   FIVE  q = A p is computed on the way (krylov/cg_stencil.glsl)
#include "include/pass.glsl"
#ifdef FIVE
#include "krylov/cg_stencil.glsl"
#else
uniform vec2 texel_size;
#endif

uniform sampler2D p, r, q, inverted;
uniform float first; // row of this iteration in the target, an even one
uniform int steps;   // of a block through its rows
out vec4 partial;

vec4 at(sampler2D s, vec2 t) { return textureLod(s, t, 0.); }

vec4 products(vec4 direction, vec4 residual, vec4 q, vec2 t) {
#ifdef DIAGONAL
  vec4 m = at(inverted, t);
  return vec4(dot(direction, q), dot(residual, residual), dot(q, m * q), dot(residual, m * residual));
#else
  float rr = dot(residual, residual);
  return vec4(dot(direction, q), rr, dot(q, q), rr);
#endif
}

#ifdef COLUMNS // of 128 texels, where caches hold the vectors: a texel of p serves three rows
void main() {
  vec2 t = vec2(uv.x, (128. * floor(gl_FragCoord.y - first) + 0.5) * texel_size.y);
#ifdef FIVE
  vec4 below = rowAt(p, vec2(t.x, t.y - texel_size.y)), direction = at(p, t);
#endif
  partial = vec4(0.);
  for (int g = 0; g < 128; g += 8) {
    vec4 group = vec4(0.);
    for (int k = 0; k < 8; k++) {
#ifdef FIVE
      vec4 above = rowAt(p, vec2(t.x, t.y + texel_size.y));
      group += products(direction, at(r, t), image(direction, besides(p, t, direction), below + above), t);
      below = direction;
      direction = above;
#else
      group += products(at(p, t), at(r, t), at(q, t), t);
#endif
      t.y += texel_size.y;
    }
    partial += group;
  }
}
#else
// The eight fragments of a block of 4 x 2 read four texels in each of two rows, then the next four, to the rows' ends and on in the next two rows:
// processors, which shade such a block at once, read memory in its order. Of blocks beyond the last row nothing is added.
void main() {
  ivec2 fragment = ivec2(gl_FragCoord.xy - vec2(0., first)), block = fragment / ivec2(4, 2), lane = fragment - block * ivec2(4, 2);
  int place = 128 * (block.x + steps * block.y), rows = place / steps;
  vec2 t = (vec2(4 * (place - rows * steps) + lane.x, 2 * rows + lane.y) + 0.5) * texel_size;
  partial = vec4(0.);
  for (int g = 0; g < 128 && t.y < 1.; g += 8) {
    vec4 group = vec4(0.);
    for (int k = 0; k < 8; k++) {
      vec4 direction = at(p, t);
#ifdef FIVE
      vec4 image_of = image(direction, besides(p, t, direction), stacked(p, t, direction));
#else
      vec4 image_of = at(q, t);
#endif
      vec4 term = products(direction, at(r, t), image_of, t);
      group += t.y < 1. ? term : vec4(0.);
      t.x += 4. * texel_size.x;
      t = t.x < 1. ? t : vec2(t.x - 1., t.y + 2. * texel_size.y);
    }
    partial += group;
  }
}
#endif
