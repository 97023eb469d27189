// v <- w / |w|, or zero once the iteration is over: scalar.y is w.w
#include "include/pass.glsl"

uniform sampler2D w;
out vec4 v;

void main() {
  bool finite = scalar.y > 0. && scalar.y < 3e38;
  v = scalar.z > 0. && finite ? texel(w) * inversesqrt(scalar.y) : vec4(0.);
}
