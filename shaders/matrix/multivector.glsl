// Products with multivectors (src/matrix/multivector.h): a texel is a row, and holds its element of four vectors; GROUPS multivectors at once,
// whose numbers are the columns of MULTIVECTORS. Ends with y <- ca s + cb b.
#include "include/layout.glsl"
#include "include/pass.glsl"

uniform sampler2D x0;
#if GROUPS == 2
#define MULTIVECTORS mat2x4
uniform sampler2D x1;
MULTIVECTORS multivectorsAt(vec2 p) { return mat2x4(textureLod(x0, p, 0.), textureLod(x1, p, 0.)); }
vec4 group(MULTIVECTORS s, int g) { return s[g]; }
#else
#define MULTIVECTORS vec4
MULTIVECTORS multivectorsAt(vec2 p) { return textureLod(x0, p, 0.); }
vec4 group(MULTIVECTORS s, int g) { return s; }
#endif

// The lane of this row in textures that hold four rows to a texel, as a unit vector.
vec4 rowLane() { return vec4(equal(ivec4(int(gl_FragCoord.x) & 3), ivec4(0, 1, 2, 3))); }

#ifndef PARTIAL
uniform vec2 factors; // ca, cb
#ifdef ADDEND
uniform sampler2D b0, b1;
#endif
out vec4 y[GROUPS];

void finish(MULTIVECTORS s) {
#ifdef ADDEND
  y[0] = masked(factors.x * group(s, 0) + factors.y * texel(b0));
#if GROUPS == 2
  y[1] = masked(factors.x * group(s, 1) + factors.y * texel(b1));
#endif
#else
  for (int g = 0; g < GROUPS; g++)
    y[g] = masked(factors.x * group(s, g));
#endif
}
#endif
