// y = x + dt^2 f in the water: sources along lines and at points. Baked in: PUSHES, the sum of push(k) for each source
#include "sim/wave.glsl"
uniform sampler2D x;
uniform vec4 line0, line1, line2, line3, line4, line5; // middle and half of the line, in grid steps from the first point
uniform vec4 bell0, bell1, bell2, bell3, bell4, bell5; // dt^2 amplitude, -1 / radius^2, 1 / |half|^2 (0: a point)
uniform vec4 period;                                   // nx, ny and their inverses; 0 where the axis is not periodic

vec4 nearest(vec4 d, float n, float inverse) { return d - n * floor(d * inverse + 0.5); }

vec4 push(vec4 line, vec4 bell) {
  vec4 dx = nearest(columns() - line.x, period.x, period.z);
  vec4 dy = nearest(vec4(float(cell().y)) - line.y, period.y, period.w);
  vec4 t = clamp(bell.z * (dx * line.z + dy * line.w), -1., 1.);
  dx -= t * line.z;
  dy -= t * line.w;
  return bell.x * exp(bell.y * (dx * dx + dy * dy));
}

vec4 kernel() { return texel(x) + mix(PUSHES, vec4(0.), equal(texel(medium), vec4(0.))); }
