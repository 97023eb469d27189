// Vorticity confinement (Fedkiw, Stam, Jensen 2001): a force that pushes fluid around places where it turns fastest,
//     f = e h (n x w),  n = grad |w| / |grad |w||,  with the vorticity w
// `vorticity` holds w at the centres of cells.
#include "sim/flow.glsl"
uniform sampler2D open_u, open_v, vorticity;
uniform float push; // e h dt

void kernel(out vec4 y[2]) {
  vec4 c = mapAt(vorticity, 0, 0), e = mapAt(vorticity, 1, 0), n = mapAt(vorticity, 0, 1);
  vec4 x = abs(e) - abs(c);
  vec4 z = 0.25 * (abs(n) + abs(mapAt(vorticity, 1, 1)) - abs(mapAt(vorticity, 0, -1)) - abs(mapAt(vorticity, 1, -1)));
  vec4 f = 0.5 * (c + e) * z / sqrt(x * x + z * z + 1e-12);
  y[0] = texel(u) + vec4(greaterThan(texel(open_u), vec4(0.))) * push * f;
  z = abs(n) - abs(c);
  x = 0.25 * (abs(e) + abs(mapAt(vorticity, 1, 1)) - abs(mapAt(vorticity, -1, 0)) - abs(mapAt(vorticity, -1, 1)));
  f = -0.5 * (c + n) * x / sqrt(x * x + z * z + 1e-12);
  y[1] = texel(v) + vec4(greaterThan(texel(open_v), vec4(0.))) * push * f;
}
