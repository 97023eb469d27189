// Inks that a flow carries along: a texel is a place of a grid finer than the flow's, with red, green, blue and a fourth one.
//   VELOCITY  what a step of the flow goes in the middle of a cell, in cells: paths are made of these, which one fetch brings
//   GUESS  y[0] <- q^ = q from where the flow comes from; y[1] <- the ways of a step from here: back (x, y), and on (z, w), in texels
//   SPLAT  q + amount * exp(-r^2 / radius^2) around a place
//   STONES there are obstacles, too      ALIKE  inks have the grid of the flow
//   otherwise MacCormack's correction (flow_predict.frag):  q <- q^ + 1/2 (q - q^(on)), held between the four values that q^ is made of
// and nothing within obstacles.
#include "sim/flow.glsl"
uniform sampler2D inks, guess, ways, velocity, fluid;
uniform vec4 grid;   // columns, rows, texels per cell; dt / h
uniform float decay; // in this step
uniform vec3 place;  // x, y, radius in texels
uniform vec4 amount;
#ifdef STONES
uniform sampler2D wall_u, wall_v; // the walls' friction (src/sim/flow_walls.c)
#endif

// Which part of both axes the texels around a place lie at, in a grid of n: lower left (x, y), upper right (z, w). Beyond a periodic axis they
// are those of its other side, elsewhere those at the rim.
vec4 ends(vec2 at, vec2 n) {
  vec4 c = vec4(floor(at - 0.5), floor(at + 0.5)), m = n.xyxy;
  return (mix(clamp(c, vec4(0.), m - 1.), c - m * floor(c / m), greaterThan(cells.zwzw, vec4(0.))) + 0.5) / m;
}
vec4 sampled(sampler2D s, vec2 at) { return textureLod(s, at, 0.); }

// Is that place no obstacle?
float isFluid(vec2 at) { return fetch(fluid, int(at.x * cells.x), int(at.y * cells.y)); }
float isFluid() { return isFluid(gl_FragCoord.xy / grid.xy); }

// The four values that are interpolated at a place. Obstacles hold none: those there take part as the mean of the others, or walls would draw
// ink out of the flow.
void corners(sampler2D s, vec2 at, out vec4 q[4]) {
  vec4 e = ends(at, grid.xy);
  q = vec4[4](sampled(s, e.xy), sampled(s, e.zy), sampled(s, e.xw), sampled(s, e.zw));
#ifdef STONES
  vec4 free = vec4(isFluid(e.xy), isFluid(e.zy), isFluid(e.xw), isFluid(e.zw));
  vec4 mean = (free.x * q[0] + free.y * q[1] + free.z * q[2] + free.w * q[3]) / max(dot(free, vec4(1.)), 1.);
  q = vec4[4](mix(mean, q[0], free.x), mix(mean, q[1], free.y), mix(mean, q[2], free.z), mix(mean, q[3], free.w));
#endif
}
vec4 between(vec4 q[4], vec2 at) {
  vec2 t = fract(at - 0.5);
  return mix(mix(q[0], q[1], t.x), mix(q[2], q[3], t.x), t.y);
}

#if defined VELOCITY
vec4 kernel() {
  ivec2 c = ivec2(gl_FragCoord.xy);
  float w = fetch(u, column(c.x - 1), c.y), s = fetch(v, c.x, line(c.y - 1));
  w = before(c.x - 1) ? fetch(rim, c.y, LEFT) : w;
  s = below(c.y - 1) ? fetch(rim, c.x, BOTTOM) : s;
  return 0.5 * grid.w * vec4(w + fetch(u, c.x, c.y), s + fetch(v, c.x, c.y), 0., 0.);
}
#elif defined GUESS
vec2 way(vec2 p) {
  vec4 e = ends(p, cells.xy);
  vec2 t = fract(p - 0.5);
  return mix(mix(sampled(velocity, e.xy), sampled(velocity, e.zy), t.x), mix(sampled(velocity, e.xw), sampled(velocity, e.zw), t.x), t.y).xy;
}

void kernel(out vec4 y[2]) {
  vec2 here = gl_FragCoord.xy, p = here / grid.z;
#ifdef ALIKE
  vec2 middle = 0.5 * texel(velocity).xy;
#else
  vec2 middle = 0.5 * way(p);
#endif
  vec2 back = grid.z * way(p - middle), on = grid.z * way(p + middle);
  vec4 q[4];
  corners(inks, here - back, q);
  y[0] = between(q, here - back);
  y[1] = vec4(back, on);
}
#elif defined SPLAT
vec4 kernel() {
  vec2 d = (gl_FragCoord.xy - place.xy) / place.z;
  return texel(inks) + isFluid() * exp(-dot(d, d)) * amount;
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
  vec4 w = texel(ways), next = texel(guess), a[4], b[4];
  corners(inks, here - w.xy, a);
  corners(guess, here + w.zw, b);
  vec4 least = min(min(a[0], a[1]), min(a[2], a[3])), most = max(max(a[0], a[1]), max(a[2], a[3]));
  vec4 better = next + 0.5 * (texel(inks) - between(b, here + w.zw));
  return decay * isFluid() * (slows() || leaves(here - w.xy) || leaves(here + w.zw) ? next : clamp(better, least, most));
}
#endif
