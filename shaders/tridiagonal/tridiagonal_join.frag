// The layers of tridiagonal_solve.frag, one beside the other: a grid in which texel (x, y) holds elements 4 x .. 4 x + 3 of row y.
// LAYERS: how many there are. VECTOR, ALONG_X as there; without both the four elements, of one row of four systems, come from four texels.
// ZEBRA: only systems parity, parity + 2, ... change; there are no others in `parts`.
#include "include/layout.glsl"
#include "include/pass.glsl"

uniform sampler2DArray parts;
uniform vec2 parts_texel;
out vec4 x;

#ifdef ZEBRA
uniform sampler2D old;
uniform float parity;
vec4 striped(vec4 v) {
#ifdef ALONG_X
  return mod(floor(gl_FragCoord.y), 2.) == parity ? v : texel(old);
#else
  vec4 u = texel(old);
  vec2 own = mod(floor(gl_FragCoord.x), 2.) == 0. ? v.xy : v.zw; // a texel of systems belongs to two of x
  return parity == 0. ? vec4(own.x, u.y, own.y, u.w) : vec4(u.x, own.x, u.z, own.y);
#endif
}
#else
#define striped(v) v
#endif

void main() {
#if defined(VECTOR) || defined(ALONG_X)
  vec2 at = floor(gl_FragCoord.xy);
#ifdef ALONG_X
  float block = floor(at.x * (1. / float(LAYERS))), layer = at.x - float(LAYERS) * block;
#ifdef ZEBRA
  vec2 p = (vec2(block, floor(0.5 * at.y)) + 0.5) * parts_texel;
#else
  vec2 p = vec2((block + 0.5) * parts_texel.x, uv.y);
#endif
#else
  float block = floor(at.y * (1. / float(LAYERS))), layer = at.y - float(LAYERS) * block;
#ifdef ZEBRA
  vec2 p = (vec2(floor(0.5 * at.x), block) + 0.5) * parts_texel;
#else
  vec2 p = vec2(uv.x, (block + 0.5) * parts_texel.y);
#endif
#endif
  x = masked(striped(textureLod(parts, vec3(p, layer), 0.)));
#else
  vec2 at = floor(gl_FragCoord.xy);
  float block = floor(at.y * (1. / float(4 * LAYERS))), row = at.y - float(4 * LAYERS) * block;
  float layer = floor(0.25 * row), lane = row - 4. * layer;
  for (int i = 0; i < 4; i++) {
    vec2 p = vec2(4. * at.x + float(i) + 0.5, block + 0.5) * parts_texel;
    x[i] = textureLod(parts, vec3(p, layer), 0.)[int(lane)];
  }
  x = masked(striped(x));
#endif
}
