// y <- P^T r, from a grid to the next coarser one. Coarse point I is fine point stride I + first on each axis; what lies
// between two of those belongs to both. Weights live at the fine points: of the parents low-low, high-low (in x), low-high,
// high-high. Seen from a coarse point, the fine point before it counts with the weight of its high parent, others with the low one.
#include "include/border.glsl"
#include "multigrid/grid.glsl"

uniform sampler2D r;
uniform sampler2D w0, w1, w2, w3;
uniform vec2 r_texel;
out vec4 y;

#ifdef ELEMENTS
uniform ivec4 coarsening; // stride in x and y, first in x and y
uniform ivec2 coarse;     // points of the coarse grid

bool exists(int i, int n, int periodic) { return periodic != 0 || (i >= 0 && i < n); }

// The contribution of the fine point d away from `centre`, which must lie between two coarse ones on each axis where d is not 0.
float contribution(ivec2 centre, ivec2 d) {
  ivec2 i = centre + d;
  if (!exists(i.x, grid.x, grid.z) || !exists(i.y, grid.y, grid.w))
    return 0.;
  i = ivec2(wrapped(i.x, grid.x, grid.z), wrapped(i.y, grid.y, grid.w));
  if ((d.x != 0 && ((i.x - coarsening.z) & 1) == 0) || (d.y != 0 && ((i.y - coarsening.w) & 1) == 0))
    return 0.;
  vec2 at = classAt(vec2(i.x >> 2, i.y));
  vec4 low = d.x < 0 ? textureLod(w1, at, 0.) : textureLod(w0, at, 0.);
  vec4 high = d.x < 0 ? textureLod(w3, at, 0.) : textureLod(w2, at, 0.);
  return (d.y < 0 ? high : low)[i.x & 3] * texelFetch(r, ivec2(i.x >> 2, i.y), 0)[i.x & 3];
}

float gathered(ivec2 I) {
  ivec2 centre = coarsening.xy * I + coarsening.zw, reach = coarsening.xy - 1;
  float sum = 0.;
  for (int dy = -1; dy <= 1; dy++)
    for (int dx = -1; dx <= 1; dx++)
      if (abs(dx) <= reach.x && abs(dy) <= reach.y)
        sum += contribution(centre, ivec2(dx, dy));
  return I.x < coarse.x ? sum : 0.;
}

void main() {
  ivec2 I = ivec2(4. * place().x, place().y);
  y = vec4(gathered(I), gathered(I + ivec2(1, 0)), gathered(I + ivec2(2, 0)), gathered(I + ivec2(3, 0)));
}

#else
#ifdef UNIFORM
uniform vec4 weights[3]; // by offset of the fine point, as the coefficients of an operator
#endif

// The fine row at texel p: what it adds to four coarse points. `low` and `high` hold the weights of the two parents in x.
#ifdef HALF_X
vec4 rowSum(vec2 p, float row) {
  vec4 e0 = bordered(r, (p + vec2(0.5, 0.5)) * r_texel), e1 = bordered(r, (p + vec2(1.5, 0.5)) * r_texel);
  vec4 e2 = bordered(r, (p + vec2(2.5, 0.5)) * r_texel);
#ifdef UNIFORM
  vec3 w = row < 0. ? weights[0].xyz : row > 0. ? vec3(weights[1].zw, weights[2].x) : vec3(weights[0].w, weights[1].xy);
#else
  vec2 c0 = classAt(p), c1 = classAt(p + vec2(1., 0.)), c2 = classAt(p + vec2(2., 0.));
#define LOW(c) (row < 0. ? textureLod(w2, c, 0.) : textureLod(w0, c, 0.))
#define HIGH(c) (row < 0. ? textureLod(w3, c, 0.) : textureLod(w1, c, 0.))
  vec4 l0 = LOW(c0) * e0, l1 = LOW(c1) * e1, l2 = LOW(c2) * e2, h0 = HIGH(c0) * e0, h1 = HIGH(c1) * e1;
  return vec4(h0.xz, h1.xz) + vec4(l0.yw, l1.yw) + vec4(l0.z, l1.xz, l2.x);
#endif
#ifdef UNIFORM
  return w.x * vec4(e0.xz, e1.xz) + w.y * vec4(e0.yw, e1.yw) + w.z * vec4(e0.z, e1.xz, e2.x);
#endif
}
#else
vec4 rowSum(vec2 p, float row) {
  vec4 e = bordered(r, (p + 0.5) * r_texel);
#ifdef UNIFORM
  return (row < 0. ? weights[0].y : row > 0. ? weights[1].w : 1.) * e;
#else
  vec2 c = classAt(p);
  return (row < 0. ? textureLod(w2, c, 0.) : textureLod(w0, c, 0.)) * e;
#endif
}
#endif

void main() {
  vec2 p = place();
#ifdef HALF_X
  p.x *= 2.;
#endif
#ifdef HALF_Y
  p.y *= 2.;
  y = rowSum(p, -1.) + rowSum(p + vec2(0., 1.), 0.) + rowSum(p + vec2(0., 2.), 1.);
#else
  y = rowSum(p, 0.);
#endif
}
#endif
