// s <- RESULT, an expression in the reduced vec4 v
#include "vector/reduce_final.glsl"

out float s;

void main() {
  vec4 v = total();
  s = RESULT;
}
