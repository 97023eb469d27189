// For STRIP texels along a system: the largest |r_i| / s_i, |x_i| and |d_i| / s_i, with r = d - A x and s_i = |a_i| + |b_i| + |c_i|. What
// is not finite in A or d counts as the third, 2e38, what is not in x as the first, 1e30. All others end at 1e30: a device that divides
// by way of reciprocals may flush those of larger numbers to zero.
// FOLDED: each row of the grid continues the one before.
// And whether all rows are dominant: the largest (|a_i| + |c_i| - |b_i|) / s_i, and 1, so that 0 stands for diagonal ones.
// VECTOR (along y): four targets, lanes are four systems. ALONG_X: one, with all in its components.
#include "include/border.glsl"
#include "include/pass.glsl"
#include "tridiagonal/tridiagonal_bands.glsl"

uniform sampler2D x;    // zero outside
uniform vec2 x_texel;
uniform float rows;  // of a system, or of a row of the grid
uniform float lines; // rows of the grid

#ifdef ALONG_X
layout(location = 0) out vec4 worst;
#else
layout(location = 0) out vec4 worst[4];
#endif

vec4 largest[4];

bvec4 atMost(vec4 v, float most) { return lessThanEqual(v, vec4(most)); }

void look(vec4 a, vec4 b, vec4 c, vec4 d, vec4 before, vec4 v, vec4 after) {
  vec4 s = abs(a) + abs(b) + abs(c), r = abs(d - a * before - b * v - c * after);
  vec4 error = mix(r / s, vec4(0.), equal(r, vec4(0.))), size = mix(abs(d) / s, vec4(0.), equal(d, vec4(0.)));
  largest[0] = max(largest[0], mix(vec4(1e30), error, atMost(error, 1e30)));
  largest[1] = max(largest[1], mix(vec4(0.), min(abs(v), 1e30), atMost(abs(v), 3e38)));
  size = mix(vec4(1e30), size, atMost(size, 1e30));
  largest[2] = max(largest[2], mix(vec4(2e38), size, atMost(s + abs(d), 3e38)));
  largest[3] = max(largest[3], 1. + mix((abs(a) + abs(c) - abs(b)) / s, vec4(1.), equal(s, vec4(0.))));
}

#ifdef ALONG_X
float element(float i, float line) {
  float q = floor(0.25 * i);
  return bordered(x, (vec2(q, line) + 0.5) * x_texel)[int(i - 4. * q)];
}

void lookAt(float q) {
  vec4 i = 4. * q + vec4(0., 1., 2., 3.);
  vec2 p = vec2((q + 0.5) * rhs_texel.x, uv.y), step = vec2(x_texel.x, 0.);
  vec4 a = SUB(p), b = MAIN(p), c = SUPER(p), d = RHS(p), v = bordered(x, p);
  vec4 before = vec4(bordered(x, p - step).w, v.xyz), after = vec4(v.yzw, bordered(x, p + step).x);
  bvec4 first = equal(i, vec4(0.)), final = equal(i, vec4(rows - 1.)), outside = greaterThan(i, vec4(rows - 1.));
  float line = floor(gl_FragCoord.y), last = line, next = line;
  bool begins = true, ends = true; // the system
#ifdef FOLDED
  begins = line == 0.;
  ends = line == lines - 1.;
  last = begins ? lines - 1. : line - 1.;
  next = ends ? 0. : line + 1.;
#endif
#ifdef PERIODIC
  begins = ends = false;
#endif
  before = mix(before, vec4(begins ? 0. : element(rows - 1., last)), first);
  after = mix(after, vec4(ends ? 0. : element(0., next)), final);
  a = begins ? mix(a, vec4(0.), first) : a;
  c = ends ? mix(c, vec4(0.), final) : c;
  vec4 zero = vec4(0.);
  look(mix(a, zero, outside), mix(b, vec4(1.), outside), mix(c, zero, outside), mix(d, zero, outside), before,
       mix(v, zero, outside), after);
}
#else
vec4 elements(float i) { return bordered(x, vec2(uv.x, (i + 0.5) * x_texel.y)); }

void lookAt(float i) {
  vec2 p = vec2(uv.x, (i + 0.5) * rhs_texel.y);
  vec4 a = SUB(p), c = SUPER(p), before = elements(i - 1.), after = elements(i + 1.);
#ifdef PERIODIC
  if (i == 0.)
    before = elements(rows - 1.);
  if (i == rows - 1.)
    after = elements(0.);
#else
  if (i == 0.)
    a = vec4(0.);
  if (i == rows - 1.)
    c = vec4(0.);
#endif
  look(a, MAIN(p), c, RHS(p), before, elements(i), after);
}
#endif

void main() {
  for (int i = 0; i < 4; i++)
    largest[i] = vec4(0.);
#ifdef ALONG_X
  float from = floor(gl_FragCoord.x) * float(STRIP), end = min(from + float(STRIP), ceil(0.25 * rows));
#else
  float from = floor(gl_FragCoord.y) * float(STRIP), end = min(from + float(STRIP), rows);
#endif
  for (float i = from; i < end; i += 1.)
    lookAt(i);
#ifdef ALONG_X
  for (int i = 0; i < 4; i++) {
    vec4 v = largest[i];
    worst[i] = max(max(v.x, v.y), max(v.z, v.w));
  }
#else
  for (int i = 0; i < 4; i++)
    worst[i] = largest[i];
#endif
}
