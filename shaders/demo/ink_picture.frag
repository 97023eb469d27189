// Inks on dark paper, four pixels of a row at once: each is red + 256 green + 65536 blue. What there is more of stands higher, in light from the upper left.
//   STONES  some cells are stones
uniform sampler2D inks, solid;
uniform vec4 sizes; // columns and rows of the inks, places per pixel, cells per pixel
uniform float light;
const vec3 paper = vec3(10., 11., 16.);
#include "stones.glsl"

vec3 inkAt(ivec2 c) { return max(texelFetch(inks, clamp(c, ivec2(0), ivec2(sizes.xy) - 1), 0).rgb, 0.); }
vec3 smoothInk(vec2 at) {
  vec2 t = fract(at);
  ivec2 c = ivec2(floor(at));
  return mix(mix(inkAt(c), inkAt(c + ivec2(1, 0)), t.x), mix(inkAt(c + ivec2(0, 1)), inkAt(c + 1), t.x), t.y);
}
float solidAt(ivec2 c) {
  c = clamp(c, ivec2(0), ivec2(sizes.xy * sizes.w / sizes.z + 0.5) - 1);
  vec4 t = texelFetch(solid, ivec2(c.x >> 2, c.y), 0);
  int lane = c.x & 3;
  return lane < 2 ? (lane == 0 ? t.x : t.y) : (lane == 2 ? t.z : t.w);
}

float pixel(vec2 p) {
  // in the direction of the light, a quarter of a place off to both sides: so it is as smooth as the inks
  vec2 at = (p + 0.5) * sizes.z - 0.5, way = vec2(0.25, -0.25);
  vec3 before = smoothInk(at - way), behind = smoothInk(at + way), ink = 0.5 * (before + behind);
  float shade = 4. * light * dot(behind - before, vec3(1.)) / (1. + dot(ink, vec3(1.)));
  vec3 colour = paper + (255. - paper) * (1. - exp(-4. * ink));
  colour = clamp(colour * (1. - 0.5 * shade / (1. + abs(shade))), 0., 255.);
#ifdef STONES
  vec2 cell = (p + 0.5) * sizes.w - 0.5, s = fract(cell);
  ivec2 k = ivec2(floor(cell));
  float part = mix(mix(solidAt(k), solidAt(k + ivec2(1, 0)), s.x), mix(solidAt(k + ivec2(0, 1)), solidAt(k + 1), s.x), s.y);
  colour = mix(colour, stone, stoneIn(part, sizes.w));
#endif
  return dot(floor(colour + 0.5), vec3(1., 256., 65536.));
}

vec4 kernel() {
  vec2 p = vec2(4., 1.) * floor(gl_FragCoord.xy);
  return vec4(pixel(p), pixel(p + vec2(1., 0.)), pixel(p + vec2(2., 0.)), pixel(p + vec2(3., 0.)));
}
