// Four elements of y = P x, P symmetric, held by its lower triangle.
#include "triangle/lower.glsl"

uniform sampler2D lower, x;
uniform int row_of_x; // its elements in a row of texels
out vec4 y;

// Entries 2i, 2i + 1 of columns 2j, 2j + 1.
vec4 lowerBlock(int i, int j) {
#ifdef SINGLE
  ivec2 e = 2 * ivec2(i, j);
  bool inside = e.x + 1 < triangle.y;
  vec4 v = vec4(entryOfLower(lower, e), i == j ? 0. : entryOfLower(lower, e + ivec2(0, 1)), 0., 0.);
  if (inside)
    v.ba = vec2(entryOfLower(lower, e + ivec2(1, 0)), entryOfLower(lower, e + 1));
#else
  vec4 v = texelOfLower(lower, ivec2(i, j));
#endif
  if (i == j)
    v.g = v.b;
  return v;
}

vec4 blockOf(int i, int j) {
  vec4 v = vec4(0.);
  if (2 * max(i, j) < triangle.y)
    v = i >= j ? lowerBlock(i, j) : lowerBlock(j, i).rbga;
  return v;
}

vec4 fourOfX(int i) {
  int row = i / row_of_x;
  return texelFetch(x, ivec2((i - row * row_of_x) / 4, row), 0);
}

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
  int i = 2 * p.x + row_of_x / 2 * p.y;
  vec4 even = vec4(0.), odd = vec4(0.); // shorter sums round less
  for (int j = 0; 2 * j < triangle.y; j += 2) {
    vec4 v = fourOfX(2 * j), a = blockOf(i, j), b = blockOf(i + 1, j), c = blockOf(i, j + 1), d = blockOf(i + 1, j + 1);
    even += vec4(a.rb * v.x + a.ga * v.y, b.rb * v.x + b.ga * v.y);
    odd += vec4(c.rb * v.z + c.ga * v.w, d.rb * v.z + d.ga * v.w);
  }
  y = even + odd;
}
