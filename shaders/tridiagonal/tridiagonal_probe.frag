// A right-hand side like any other: each row's sum of magnitudes times a number of random sign between 1/2 and 1. Where the solution for it
// is large, the system is nearly singular.
#include "include/pass.glsl"
#include "tridiagonal/tridiagonal_bands.glsl"

uniform float across; // elements in a row of the grid
out vec4 z;

// Of integers that a float holds exactly: the same on every device.
float randomOf(float column, float line) {
  float k = mod(column * 421. + line * 167. + 29., 6075.);
  k = mod(k * 106. + 1283., 6075.);
  k = mod(k * 106. + 1283., 6075.);
  float size = 0.5 + k * (0.5 / 6075.);
  return mod(k, 2.) == 0. ? size : -size;
}

void main() {
  vec4 s = abs(SUB(uv)) + abs(MAIN(uv)) + abs(SUPER(uv));
  // rows of zeros; ends that are not used and may hold anything
  s = mix(vec4(1.), s, lessThan(abs(log2(s)), vec4(60.)));
  vec2 at = floor(gl_FragCoord.xy);
  for (int lane = 0; lane < 4; lane++) {
    float column = 4. * at.x + float(lane);
    z[lane] = column < across ? s[lane] * randomOf(mod(column, 4001.), mod(at.y, 4003.)) : 0.;
  }
}
