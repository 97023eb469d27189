// Blocks of factored systems (tridiagonal_factor.frag): right-hand sides d are all that is left to compute with.
// BANDS: d is a grid, as in tridiagonal.glsl; else the first and the last row's of each block of a longer system: layers 0 and 1, or, without
// VECTOR, x and y.
#include "tridiagonal/tridiagonal_block.glsl"

T d[M];

#ifdef BANDS
uniform sampler2D rhs;
uniform vec2 rhs_texel;
#define RHS(p) textureLod(rhs, p, 0.)
#else
#ifdef VECTOR
uniform sampler2DArray longer;
#else
uniform sampler2D longer;
#endif
uniform vec2 longer_texel;
#endif

void load() {
#if defined(BANDS) && defined(VECTOR)
  for (int i = 0; i < M; i++)
    d[i] = LINES(RHS, (block() * float(M) + float(i) + 0.5) * rhs_texel.y, rhs_texel);
#elif defined(BANDS)
  for (int q = 0; q < M / 4; q++) {
    vec4 v = LINES(RHS, (block() * float(M / 4) + float(q) + 0.5) * rhs_texel.x, rhs_texel);
    d[4 * q] = v.x, d[4 * q + 1] = v.y, d[4 * q + 2] = v.z, d[4 * q + 3] = v.w;
  }
#else
  for (int i = 0; i < M; i += 2) {
    vec2 p = PLACE((block() * float(M / 2) + float(i / 2) + 0.5) * ALONG(longer_texel), across());
#ifdef VECTOR
    d[i] = textureLod(longer, vec3(p, 0.), 0.);
    d[i + 1] = textureLod(longer, vec3(p, 1.), 0.);
#else
    vec2 v = textureLod(longer, p, 0.).xy;
    d[i] = v.x, d[i + 1] = v.y;
#endif
  }
#endif
  findLast();
}

// Texel i of this block in a part of the factors
#ifdef VECTOR
#define TEXELS M
#else
#define TEXELS (M / 4)
#endif
#define PART(s, texel, i) textureLod(s, PLACE((block() * float(TEXELS) + float(i) + 0.5) * ALONG(texel), across()), 0.)

uniform sampler2D first_weights, last_weights;
uniform vec2 first_weights_texel, last_weights_texel;

// The right-hand sides of the block's first and last row, when the rows between are eliminated.
void reduced(out T first, out T last_one) {
  first = last_one = T(0.);
#ifdef VECTOR
  for (int i = 0; i < M; i++) {
    first += PART(first_weights, first_weights_texel, i) * d[i];
    last_one += PART(last_weights, last_weights_texel, i) * d[i];
  }
#else
  for (int q = 0; q < M / 4; q++) {
    vec4 v = vec4(d[4 * q], d[4 * q + 1], d[4 * q + 2], d[4 * q + 3]);
    first += dot(PART(first_weights, first_weights_texel, q), v);
    last_one += dot(PART(last_weights, last_weights_texel, q), v);
  }
#endif
}
