// The weights of a grid's interpolation from the rows of its operator (Dendy): see txStencilInterpolate.
#include "multigrid/grid_points.glsl"

layout(location = 0) out vec4 w0;
layout(location = 1) out vec4 w1;
layout(location = 2) out vec4 w2;
layout(location = 3) out vec4 w3;

float rowSum(float c[9]) { return ((c[0] + c[1]) + (c[2] + c[3])) + ((c[5] + c[6]) + (c[7] + c[8])) + c[4]; }

// No coupling worth mentioning.
bool isAlone(float c[9]) {
  float sum = 0.;
  for (int k = 0; k < 9; k++)
    sum += k == 4 ? 0. : abs(c[k]);
  return sum <= 1e-6 * abs(c[4]);
}

// A point between two coarse ones on an axis.
vec2 lineWeights(int axis, ivec2 i) {
  float c[9], inner[9];
  row(i, c);
  vec2 side = axis == 0 ? -vec2(c[0] + c[3] + c[6], c[2] + c[5] + c[8]) : -vec2(c[0] + c[1] + c[2], c[6] + c[7] + c[8]);
  side = max(side, 0.);
  ivec2 parent = parents(axis, i[axis]), step = axis == 0 ? ivec2(1, 0) : ivec2(0, 1);
  float ghost = 0.;
  for (int d = 0; d < 2; d++)
    if (parent[d] < 0) {
      row(clamp(i + (d == 1 ? -step : step), ivec2(0), grid.xy - 1), inner);
      ghost = max(rowSum(c) - rowSum(inner), 0.);
    }
  if (side.x + side.y <= 1e-6 * abs(c[4])) { // stretched cells: the row says nothing, unless it is alone
    side = vec2(isAlone(c) ? 0. : 1.);
    ghost = parent.x < 0 || parent.y < 0 ? 1. : 0.;
  }
  side = vec2(parent.x < 0 ? 0. : side.x, parent.y < 0 ? 0. : side.y);
  return divZ(vec4(side, 0., 0.), vec4(side.x + side.y + ghost)).xy;
}

vec2 lineWeightsAt(int axis, ivec2 i) { return exists(i) ? lineWeights(axis, i) : vec2(0.); }

// A point amid four coarse ones: its row, with the four neighbours on lines replaced by their interpolation.
vec4 centreWeights(ivec2 i) {
  float c[9];
  row(i, c);
  ivec2 west = neighbour(i, ivec2(-1, 0)), east = neighbour(i, ivec2(1, 0));
  ivec2 south = neighbour(i, ivec2(0, -1)), north = neighbour(i, ivec2(0, 1));
  vec2 w = lineWeightsAt(1, west), e = lineWeightsAt(1, east), s = lineWeightsAt(0, south), n = lineWeightsAt(0, north);
  vec4 sum = -vec4(c[0], c[2], c[6], c[8]) - c[3] * vec4(w.x, 0., w.y, 0.) - c[5] * vec4(0., e.x, 0., e.y) -
             c[1] * vec4(s, 0., 0.) - c[7] * vec4(0., 0., n);
  sum = max(sum, 0.);
  float total = (sum.x + sum.y) + (sum.z + sum.w);
  bool all = exists(west) && exists(east) && exists(south) && exists(north);
  if (total <= 1e-6 * abs(c[4]))
    return vec4(isAlone(c) ? 0. : 0.25);
  return sum / (all ? total : max(c[4], total));
}

vec4 weights(ivec2 i) {
  bool x = between(0, i.x), y = between(1, i.y);
  if (i.x >= grid.x)
    return vec4(0.);
  if (x && y)
    return centreWeights(i);
  if (x)
    return vec4(lineWeights(0, i), 0., 0.);
  return y ? vec4(lineWeights(1, i), 0., 0.).xzyw : vec4(1., 0., 0., 0.);
}

void main() {
  ivec2 i = ivec2(gl_FragCoord.xy) * ivec2(4, 1);
  mat4 w = transpose(mat4(weights(i), weights(i + ivec2(1, 0)), weights(i + ivec2(2, 0)), weights(i + ivec2(3, 0))));
  w0 = w[0];
  w1 = w[1];
  w2 = w[2];
  w3 = w[3];
}
