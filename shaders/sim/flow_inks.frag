// Inks that a flow carries along: a texel is a place of a grid finer than the flow's, with red, green, blue and a fourth one.
//   GUESS  y[0] <- q^ = q from where the flow comes from; y[1] <- the ways of a step from here: back (x, y), and on (z, w), in texels
//   SPLAT  q + amount * exp(-r^2 / radius^2) around a place
//   STONES there are obstacles, too
//   otherwise MacCormack's correction (flow_predict.frag):  q <- q^ + 1/2 (q - q^(on)), held between the four values that q^ is made of
// and nothing within obstacles.
#include "sim/flow.glsl"
uniform sampler2D inks, guess, ways, fluid;
uniform vec4 grid;   // columns, rows, texels per cell; dt / h
uniform float decay; // in this step
uniform vec3 place;  // x, y, radius in texels
uniform vec4 amount;
#ifdef STONES
uniform sampler2D wall_u, wall_v; // the walls' friction (src/sim/flow_walls.c)
#endif

ivec2 kept(ivec2 c) {
  ivec2 n = ivec2(grid.xy), wrapped = c - n * ivec2(floor(vec2(c) / grid.xy));
  return ivec2(cells.z > 0. ? wrapped.x : clamp(c.x, 0, n.x - 1), cells.w > 0. ? wrapped.y : clamp(c.y, 0, n.y - 1));
}
// Is that texel no obstacle?
float isFluid(ivec2 c) { return fetch(fluid, int((float(c.x) + 0.5) / grid.z), int((float(c.y) + 0.5) / grid.z)); }
float isFluid() { return isFluid(ivec2(gl_FragCoord.xy)); }

// The four values that are interpolated at a place. Obstacles hold none: those there take part as the mean of the others, or walls would draw
// ink out of the flow.
void corners(sampler2D s, vec2 at, out vec4 q[4]) {
  ivec2 low = ivec2(floor(at - 0.5));
  vec4 sum = vec4(0.);
  float free[4], count = 0.;
  for (int k = 0; k < 4; k++) {
    ivec2 c = kept(low + ivec2(k & 1, k >> 1));
    q[k] = texelFetch(s, c, 0);
#ifdef STONES
    free[k] = isFluid(c);
    sum += free[k] * q[k];
    count += free[k];
#endif
  }
#ifdef STONES
  for (int k = 0; k < 4; k++)
    q[k] = mix(sum / max(count, 1.), q[k], free[k]);
#endif
}
vec4 between(vec4 q[4], vec2 at) {
  vec2 t = fract(at - 0.5);
  return mix(mix(q[0], q[1], t.x), mix(q[2], q[3], t.x), t.y);
}

#if defined GUESS
vec2 way(vec2 p) { return grid.w * vec2(uFrom(p - vec2(1., 0.5)), vFrom(p - vec2(0.5, 1.))); } // in cells

void kernel(out vec4 y[2]) {
  vec2 here = gl_FragCoord.xy, p = here / grid.z, middle = 0.5 * way(p);
  vec2 back = grid.z * way(p - middle), on = grid.z * way(p + middle);
  vec4 q[4];
  corners(inks, here - back, q);
  y[0] = between(q, here - back);
  y[1] = vec4(back, on);
}
#elif defined SPLAT
vec4 kernel() {
  vec2 d = (gl_FragCoord.xy - place.xy) / place.z;
  return texelFetch(inks, ivec2(gl_FragCoord.xy), 0) + isFluid() * exp(-dot(d, d)) * amount;
}
#else
// Is a path's end outside, where interpolation holds the values of the rim?
bool leaves(vec2 at) {
  return (cells.z == 0. && (at.x < 0.5 || at.x > grid.x - 0.5)) || (cells.w == 0. && (at.y < 0.5 || at.y > grid.y - 0.5));
}

// Is this cell so close to walls that they hold its velocities back? From one of those to the next the velocity changes so much that there and
// back is another way: what the correction makes of it are stripes.
bool slows() {
#ifdef STONES
  int i = int(gl_FragCoord.x / grid.z), j = int(gl_FragCoord.y / grid.z);
  return fetch(wall_u, i, j) + fetch(wall_u, column(i - 1), j) + fetch(wall_v, i, j) + fetch(wall_v, i, line(j - 1)) > 0.;
#else
  return false;
#endif
}

vec4 kernel() {
  vec2 here = gl_FragCoord.xy;
  vec4 w = texelFetch(ways, ivec2(here), 0), next = texelFetch(guess, ivec2(here), 0), a[4], b[4];
  corners(inks, here - w.xy, a);
  corners(guess, here + w.zw, b);
  vec4 least = min(min(a[0], a[1]), min(a[2], a[3])), most = max(max(a[0], a[1]), max(a[2], a[3]));
  vec4 better = next + 0.5 * (texelFetch(inks, ivec2(here), 0) - between(b, here + w.zw));
  return decay * isFluid() * (slows() || leaves(here - w.xy) || leaves(here + w.zw) ? next : clamp(better, least, most));
}
#endif
