// Partial results of the products of a step, (p.q, r.r, q.Mq, r.Mr) with M = 1 or a diagonal: each over 128 texels of a column.
//   FIVE  q = A p is computed on the way (krylov/cg_stencil.glsl)
#include "include/pass.glsl"
#ifdef FIVE
#include "krylov/cg_stencil.glsl"
#else
uniform vec2 texel_size;
#endif

uniform sampler2D p, r, q, inverted;
uniform float first; // row of this iteration in the target
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
