// A p, where A is a stencil of five points that is the same everywhere: computed where it is needed, it is neither written nor read.
// Zero lies outside. The target has whole blocks of 2 x 2 fragments, each with a texel beside those of the others: half of the neighbours
// come from there, by a derivative of which one side is zero, where drivers have those for each row and column of a block.
uniform vec3 five; // coefficients of the middle, of the neighbours in the row, and in the column
uniform vec2 texel_size;

float insideOf(float u) { return u * u < u ? 1. : 0.; }

// The elements beside those of the texel at t.
vec2 besides(sampler2D p, vec2 t, vec4 middle) {
#ifdef FINE_DERIVATIVES
  bool odd = fract(0.5 * gl_FragCoord.x) > 0.5;
  float u = t.x + (odd ? texel_size.x : -texel_size.x);
  vec2 outer = insideOf(u) * textureLod(p, vec2(u, t.y), 0.).wx;
  float given = dFdxFine(odd ? middle.x : 0.), taken = -dFdxFine(odd ? 0. : middle.w);
  return odd ? vec2(taken, outer.y) : vec2(outer.x, given);
#else
  float left = t.x - texel_size.x, right = t.x + texel_size.x;
  return vec2(insideOf(left) * textureLod(p, vec2(left, t.y), 0.).w, insideOf(right) * textureLod(p, vec2(right, t.y), 0.).x);
#endif
}

vec4 rowAt(sampler2D p, vec2 t) { return insideOf(t.y) * textureLod(p, t, 0.); }

// The sum of the texels below and above.
vec4 stacked(sampler2D p, vec2 t, vec4 middle) {
#ifdef FINE_DERIVATIVES
  bool odd = fract(0.5 * gl_FragCoord.y) > 0.5;
  vec4 nothing = vec4(0.), given = dFdyFine(odd ? middle : nothing), taken = -dFdyFine(odd ? nothing : middle);
  return rowAt(p, vec2(t.x, t.y + (odd ? texel_size.y : -texel_size.y))) + (odd ? taken : given);
#else
  return rowAt(p, vec2(t.x, t.y - texel_size.y)) + rowAt(p, vec2(t.x, t.y + texel_size.y));
#endif
}

// From a texel, the elements beside it, and the sum of the texels below and above it.
vec4 image(vec4 middle, vec2 beside, vec4 others) {
  return five.x * middle + five.y * (vec4(beside.x, middle.xyz) + vec4(middle.yzw, beside.y)) + five.z * others;
}
