// s <- RESULT, an expression in the scalars a and b
#include "include/pass.glsl"

out float s;

void main() {
  float a = scalar.x, b = scalar.y;
  s = RESULT;
}
