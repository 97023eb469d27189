// Particles drift for a time step (midpoint rule): new places in cells, and the ways they went. One that leaves the flow, or
// whose life is over, starts anew at a random place.
#include "sim/flow.glsl"
uniform sampler2D fluid, place_x, place_y;
uniform vec4 clock; // dt / h, number of the step, lives before and after it
uniform float seed;

uint shuffled(uint a) { // PCG, by Jarzynski and Olano
  uint b = a * 747796405u + 2891336453u, c = ((b >> ((b >> 28u) + 4u)) ^ b) * 277803737u;
  return (c >> 22u) ^ c;
}
float random(uint a) { return float(shuffled(a) >> 8u) / 16777216.; }

vec2 velocity(vec2 p) { return vec2(uFrom(p - vec2(1., 0.5)), vFrom(p - vec2(0.5, 1.))); }

vec2 drifted(vec2 from, uint id, out vec2 way) {
  way = clock.x * velocity(from + 0.5 * clock.x * velocity(from));
  vec2 to = from + way, n = cells.xy;
  to -= mix(vec2(0.), n * floor(to / n), greaterThan(cells.zw, vec2(0.)));
  ivec2 c = ivec2(clamp(to, vec2(0.), n - 1.));
  float phase = random(id);
  bool out_ = any(lessThan(to, vec2(0.))) || any(greaterThan(to, n)) || fetch(fluid, c.x, c.y) == 0.;
  if (out_ || floor(clock.z + phase) != floor(clock.w + phase)) {
    uint key = shuffled(id ^ shuffled(uint(clock.y) ^ shuffled(uint(seed))));
    to = n * vec2(random(key), random(key + 1u));
    way = vec2(0.);
  }
  return to;
}

void kernel(out vec4 y[4]) {
  vec4 x = texel(place_x), z = texel(place_y);
  ivec2 c = cell();
  for (int k = 0; k < 4; k++) {
    vec4 lane = vec4(equal(ivec4(0, 1, 2, 3), ivec4(k)));
    vec2 way, to = drifted(vec2(dot(lane, x), dot(lane, z)), uint(c.y) * 65536u + uint(c.x + k), way);
    y[0] = k > 0 ? mix(y[0], vec4(to.x), lane) : vec4(to.x);
    y[1] = k > 0 ? mix(y[1], vec4(to.y), lane) : vec4(to.y);
    y[2] = k > 0 ? mix(y[2], vec4(way.x), lane) : vec4(way.x);
    y[3] = k > 0 ? mix(y[3], vec4(way.y), lane) : vec4(way.y);
  }
}
