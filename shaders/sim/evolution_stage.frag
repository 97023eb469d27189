// A stage of a step (src/sim/evolution.c): with the rate k of the fields of now,
//   y   <- start + to.x (now - start) + to.y sum + to.z k
//   sum <- onto.x sum + onto.y k      (if there are as many outputs again)
// A rate of 0 changes nothing, not even by rounding.
// Behind the user's rate(). Baked in: SECOND, FOURTH where derivatives of that order come to it.
uniform sampler2D start_u, start_v, start_w, start_q, sum_u, sum_v, sum_w, sum_q;
uniform vec4 second, fourth; // of each field: D and -B
uniform vec3 to;
uniform vec2 onto;

#ifdef SECOND
#define ADD_SECOND(f, k, d) k += d * lap(f);
#else
#define ADD_SECOND(f, k, d)
#endif
#ifdef FOURTH
vec4 lap_u(int i, int j) { return LAP(u, i, j); }
#if FIELDS > 1
vec4 lap_v(int i, int j) { return LAP(v, i, j); }
#endif
#if FIELDS > 2
vec4 lap_w(int i, int j) { return LAP(w, i, j); }
#endif
#if FIELDS > 3
vec4 lap_q(int i, int j) { return LAP(q, i, j); }
#endif
#define ADD_FOURTH(lap_f, k, d) k += d * lap(lap_f);
#else
#define ADD_FOURTH(lap_f, k, d)
#endif

#ifdef DOMAIN
// What is implicit knows no walls: it is taken back here, and stands in the rate as it is within them. Outside nothing changes.
uniform vec4 free; // D of what is implicit
#define WITHIN(f, k, d)                                                                                                 \
  k = inside(0, 0) * (k + d * lap(f)) -                                                                                \
      d * (f(-1, 0) + f(1, 0) + f(0, -1) + f(0, 1) - 4. * f(0, 0)) / (grid.z * grid.z);
#else
#define WITHIN(f, k, d)
#endif

#if OUTPUTS > FIELDS
#define SUM(n) y[FIELDS + n] = onto.x * sum + onto.y * k[n];
#else
#define SUM(n)
#endif
#define STAGE(n, f, lap_f, start_f, sum_f, d, b, c)                                                                       \
  ADD_SECOND(f, k[n], d)                                                                                               \
  ADD_FOURTH(lap_f, k[n], b)                                                                                           \
  WITHIN(f, k[n], c)                                                                                                   \
  now = f(0, 0);                                                                                                       \
  start = texel(start_f);                                                                                              \
  sum = texel(sum_f);                                                                                                  \
  y[n] = start + (to.x * (now - start) + to.y * sum + to.z * k[n]);                                                    \
  SUM(n)

void stage(out vec4 y[OUTPUTS]) {
  vec4 k[FIELDS], now, start, sum;
  rate(k);
  STAGE(0, u, lap_u, start_u, sum_u, second.x, fourth.x, free.x)
#if FIELDS > 1
  STAGE(1, v, lap_v, start_v, sum_v, second.y, fourth.y, free.y)
#endif
#if FIELDS > 2
  STAGE(2, w, lap_w, start_w, sum_w, second.z, fourth.z, free.z)
#endif
#if FIELDS > 3
  STAGE(3, q, lap_q, start_q, sum_q, second.w, fourth.w, free.w)
#endif
}

#if OUTPUTS == 1
vec4 kernel() {
  vec4 y[1];
  stage(y);
  return y[0];
}
#else
void kernel(out vec4 y[OUTPUTS]) { stage(y); }
#endif
