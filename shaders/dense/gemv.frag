// Parts of op(A) x: texel (part, k) of the target, with TRANSPOSED (k, part), holds what the part's texels of x add to elements 4k .. 4k + 3.
// A texel of x meets two texels of A along the sum; four elements of the result two across it. Neighbouring fragments read neighbouring
// texels of A: a part has every parts-th texel of x, but with TRANSPOSED some that follow each other.
uniform sampler2D a, x;
uniform vec2 a_texel, x_texel;
uniform ivec2 corner; // A's first texel
uniform int along;    // texels of A along the sum
uniform ivec2 run;    // along x: texels in a part that follow each other, and from one to the next (TRANSPOSED: 1)
out vec4 sum;

vec4 at(vec2 texel) { return textureLod(a, (texel + 0.5) * a_texel, 0.); }
vec4 elements(int k) { return textureLod(x, (vec2(k & WIDTH - 1, k / WIDTH) + 0.5) * x_texel, 0.); }

// Two texels of A, side by side across the sum, times two elements of x.
vec4 product(vec2 texel, vec2 v) {
#ifdef TRANSPOSED
  vec4 near = at(texel), far = at(texel + vec2(1., 0.));
  return vec4(near.rg, far.rg) * v.x + vec4(near.ba, far.ba) * v.y;
#else
  vec4 near = at(texel), far = at(texel + vec2(0., 1.));
  return vec4(near.rb, far.rb) * v.x + vec4(near.ga, far.ga) * v.y;
#endif
}

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
  sum = vec4(0.);
#ifdef TRANSPOSED
  int part = p.y;
  vec2 first = vec2(corner) + vec2(2 * p.x, 0.), step = vec2(0., 1.);
#else
  int part = p.x;
  vec2 first = vec2(corner) + vec2(0., 2 * p.y), step = vec2(1., 0.);
#endif
#ifdef TRANSPOSED
  int k = part * run.x, end = min(2 * (k + run.x), along);
#else
  int k = part, end = along;
#endif
  for (; 2 * k < end; k += run.y) {
    vec4 v = elements(k);
    vec2 texel = first + float(2 * k) * step;
    vec4 second = product(texel + step, v.zw);
    sum += product(texel, v.xy) + (2 * k + 1 < along ? second : vec4(0.)); // beyond A's view may be anything
  }
}
