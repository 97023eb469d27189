// The numbers beyond the edges of a clEvolution (src/sim/evolution_edges.c): scale (value + edge(side, field)) in row 4 field + side, along the side.
// edge() is the user's. Fields are those of the cells within, places those on the edge.
#include "sim/evolution_given.glsl"
uniform sampler2D now_u, now_v, now_w, now_q;
uniform vec4 grid; // columns, rows, h, time
uniform vec4 value_u, value_v, value_w, value_q, scale_u, scale_v, scale_w, scale_q;

vec4 edge(int side, int field);

int side_now; // left, right, bottom, top

vec4 along() { return 4. * floor(gl_FragCoord.x) + vec4(0., 1., 2., 3.); }

float within(sampler2D s, int k) {
  ivec2 last = ivec2(grid.xy) - 1;
  ivec2 cell = side_now < 2 ? ivec2(side_now * last.x, min(k, last.y)) : ivec2(min(k, last.x), (side_now - 2) * last.y);
  return texelFetch(s, ivec2(cell.x >> 2, cell.y), 0)[cell.x & 3];
}
vec4 field(sampler2D s) {
  int k = 4 * int(gl_FragCoord.x);
  return vec4(within(s, k), within(s, k + 1), within(s, k + 2), within(s, k + 3));
}
vec4 u(int i, int j) { return field(now_u); }
#if FIELDS > 1
vec4 v(int i, int j) { return field(now_v); }
#endif
#if FIELDS > 2
vec4 w(int i, int j) { return field(now_w); }
#endif
#if FIELDS > 3
vec4 q(int i, int j) { return field(now_q); }
#endif

vec4 at_x(int i, int j) { return side_now < 2 ? vec4(float(side_now) * grid.x * grid.z) : (along() + .5) * grid.z; }
vec4 at_y(int i, int j) { return side_now < 2 ? (along() + .5) * grid.z : vec4(float(side_now - 2) * grid.y * grid.z); }
#define at_t grid.w

vec4 beyond() {
  int row = int(gl_FragCoord.y), f = row >> 2;
  side_now = row & 3;
  vec4 value = value_u, scale = scale_u;
#if FIELDS > 1
  value = f == 1 ? value_v : value;
  scale = f == 1 ? scale_v : scale;
#endif
#if FIELDS > 2
  value = f == 2 ? value_w : value;
  scale = f == 2 ? scale_w : scale;
#endif
#if FIELDS > 3
  value = f == 3 ? value_q : value;
  scale = f == 3 ? scale_q : scale;
#endif
  return scale[side_now] * (value[side_now] + edge(side_now, f));
}
