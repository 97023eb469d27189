// A sweep of Jacobi's method for (1 - c lap) x = b, for all fields at once: x <- x + p (b - (1 - c lap) x); x = b if c = 0.
// COMPLEX: c, p and x are complex, b is real; the second half of the outputs has the imaginary parts of x.
// BEGIN: x <- (1 - c* lap) now instead, from which sweeps begin: the solution if `now` is that of (1 - c lap) (1 - c* lap) x = b.
#include "sim/evolution.glsl"
uniform sampler2D b_u, b_v, b_w, b_q, turn_u, turn_v, turn_w, turn_q;
uniform vec4 c, p;           // of each field; c over h^2
uniform vec4 c_turn, p_turn; // their imaginary parts

#define BEND(s, mirror, row)                                                                                                \
  ((field(s, mirror, row, -1, 0) + field(s, mirror, row, 1, 0)) + (field(s, mirror, row, 0, -1) + field(s, mirror, row, 0, 1)) - 4. * texel(s))

#ifdef BEGIN
#define FIELD(n, now, mirror, row, turn, b, c, d, p, e)                                                                     \
  bend = BEND(now, mirror, row);                                                                                            \
  y[n] = texel(now) - c * bend;                                                                                        \
  y[FIELDS + n] = d * bend;
#elif defined COMPLEX
#define FIELD(n, now, mirror, row, turn, b, c, d, p, e)                                                                     \
  if (c == 0. && d == 0.) {                                                                                            \
    y[n] = texel(b);                                                                                                   \
    y[FIELDS + n] = vec4(0.);                                                                                          \
  } else {                                                                                                             \
    bend = BEND(now, mirror, row);                                                                                          \
    bend_turn = BEND(turn, mirror, -1.);                                                                                  \
    rest = texel(b) - texel(now) + c * bend - d * bend_turn;                                                           \
    rest_turn = c * bend_turn + d * bend - texel(turn);                                                                \
    y[n] = texel(now) + (p * rest - e * rest_turn);                                                                    \
    y[FIELDS + n] = texel(turn) + (p * rest_turn + e * rest);                                                          \
  }
#else
#define FIELD(n, now, mirror, row, turn, b, c, d, p, e)                                                                     \
  y[n] = c > 0. ? texel(now) + p * (texel(b) - texel(now) + c * BEND(now, mirror, row)) : texel(b);
#endif

void sweep(out vec4 y[OUTPUTS]) {
  vec4 bend, bend_turn, rest, rest_turn;
  FIELD(0, now_u, mirror_u, ROW(x), turn_u, b_u, c.x, c_turn.x, p.x, p_turn.x)
#if FIELDS > 1
  FIELD(1, now_v, mirror_v, ROW(y), turn_v, b_v, c.y, c_turn.y, p.y, p_turn.y)
#endif
#if FIELDS > 2
  FIELD(2, now_w, mirror_w, ROW(z), turn_w, b_w, c.z, c_turn.z, p.z, p_turn.z)
#endif
#if FIELDS > 3
  FIELD(3, now_q, mirror_q, ROW(w), turn_q, b_q, c.w, c_turn.w, p.w, p_turn.w)
#endif
}

#if OUTPUTS == 1
vec4 kernel() {
  vec4 y[1];
  sweep(y);
  return y[0];
}
#else
void kernel(out vec4 y[OUTPUTS]) { sweep(y); }
#endif
