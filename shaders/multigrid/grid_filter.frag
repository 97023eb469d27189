// Transfers between a grid and the next coarser one by the bilinear filter (K13); s has ghost points around it.
//   prolongation  y <- x + P s: a fine point between coarse ones samples half-way
//   RESTRICT      y <- P^T s: the nine points around a coarse one, with weights 1, 1/2 and 1/4, are four samples at the corners of its cell
#include "include/layout.glsl"
#include "include/pass.glsl"

uniform sampler2D s;
uniform vec2 s_texel;
uniform vec2 stride, first; // coarse point I is fine point stride I + first
#ifndef RESTRICT
uniform sampler2D x;
#endif
out vec4 y;

float at(vec2 i) { return textureLod(s, (i + 1.5) * s_texel, 0.).r; }

float gathered(vec2 I) {
#ifdef RESTRICT
  vec2 centre = stride * I + first, h = 0.5 * (stride - 1.);
  float sum = at(centre + h);
  if (h.x > 0.)
    sum += at(centre + vec2(-h.x, h.y));
  if (h.y > 0.)
    sum += at(centre + vec2(h.x, -h.y));
  return h.x > 0. && h.y > 0. ? sum + at(centre - h) : sum;
#else
  return at((I - first) / stride); // a power of two: exact
#endif
}

void main() {
  vec2 i = vec2(4., 1.) * floor(gl_FragCoord.xy);
  y = vec4(gathered(i), gathered(i + vec2(1., 0.)), gathered(i + vec2(2., 0.)), gathered(i + vec2(3., 0.)));
#ifndef RESTRICT
  y += textureLod(x, uv, 0.);
#endif
  y = masked(y);
}
