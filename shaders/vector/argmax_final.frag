// value, row, column <- the best candidate
#include "vector/reduce_final.glsl"

layout(location = 0) out float value;
layout(location = 1) out float row;
layout(location = 2) out float column;

void main() {
  vec4 v = total();
  value = v.x;
  row = v.y;
  column = v.z;
}
