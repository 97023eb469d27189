// y <- x + P e, from a grid to the next finer one; weights as in grid_restrict.frag. START: y <- P e
#include "multigrid/grid.glsl"

uniform sampler2D x, e;
uniform sampler2D w0, w1, w2, w3;
uniform vec2 e_texel;
out vec4 y;

struct Parents {
  vec4 low, high;
};

#ifdef ELEMENTS
uniform ivec4 coarsening; // stride in x and y, first in x and y
uniform ivec2 coarse;     // points of the coarse grid

// The low parent of fine index i.
int lowParent(int i, int stride, int first) { return stride == 1 ? i : (i - first) >> 1; }
float element(ivec2 I) {
  I = ivec2(wrapped(I.x, coarse.x, grid.z), wrapped(I.y, coarse.y, grid.w));
  return texelFetch(e, ivec2(I.x >> 2, I.y), 0)[I.x & 3];
}
Parents parents(float row) {
  ivec2 i = ivec2(4. * place().x, place().y);
  int J = lowParent(i.y, coarsening.y, coarsening.w) + int(row);
  Parents p;
  for (int lane = 0; lane < 4; lane++) {
    int I = lowParent(i.x + lane, coarsening.x, coarsening.z);
    p.low[lane] = element(ivec2(I, J));
    p.high[lane] = element(ivec2(I + 1, J));
  }
  return p;
}
#else
Parents parents(float row) {
  vec2 p = place();
#ifdef HALF_Y
  float J = floor(0.5 * p.y - 0.5) + row;
#else
  float J = p.y;
#endif
#ifdef HALF_X
  float X = floor(0.5 * p.x), v = (J + 0.5) * e_texel.y;
  bool even = !oddRow(p.x);
  vec4 here = textureLod(e, vec2((X + 0.5) * e_texel.x, v), 0.);
  vec4 before = textureLod(e, vec2((even ? X - 0.5 : X + 0.5) * e_texel.x, v), 0.);
  vec3 c = even ? vec3(before.w, here.xy) : here.yzw; // the coarse points around these four columns
  return Parents(c.xyyz, c.yyzz);
#else
  vec4 here = textureLod(e, vec2(p.x + 0.5, J + 0.5) * e_texel, 0.);
  return Parents(here, here);
#endif
}
#endif

#ifdef UNIFORM
uniform vec4 weights[3]; // by offset of the fine point from a coarse one
vec4 interpolated() {
  bool between = false;
#ifdef HALF_Y
  between = !oddRow(place().y);
#endif
  Parents low = parents(0.);
  vec3 w = between ? vec3(weights[1].zw, weights[2].x) : vec3(weights[0].w, 1., weights[1].y);
#ifdef HALF_X
  vec4 sum = vec4(w.z, w.y, w.z, w.y) * low.low + vec4(w.x, 0., w.x, 0.) * low.high;
#else
  vec4 sum = w.y * low.low;
#endif
#ifdef HALF_Y
  Parents high = parents(1.);
  w = between ? weights[0].xyz : vec3(0.);
#ifdef HALF_X
  sum += vec4(w.z, w.y, w.z, w.y) * high.low + vec4(w.x, 0., w.x, 0.) * high.high;
#else
  sum += w.y * high.low;
#endif
#endif
  return sum;
}
#else
vec4 interpolated() {
  vec2 here = classAt(place());
  Parents low = parents(0.);
  vec4 sum = textureLod(w0, here, 0.) * low.low;
#ifdef HALF_X
  sum += textureLod(w1, here, 0.) * low.high;
#endif
#ifdef HALF_Y
  Parents high = parents(1.);
  sum += textureLod(w2, here, 0.) * high.low;
#ifdef HALF_X
  sum += textureLod(w3, here, 0.) * high.high;
#endif
#endif
  return sum;
}
#endif

void main() {
#ifdef START
  y = interpolated();
#else
  y = textureLod(x, uv, 0.) + interpolated();
#endif
}
