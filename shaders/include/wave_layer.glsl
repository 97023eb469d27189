// The layers of absorbing edges: half a step's damping, growing with the square of the depth.
uniform vec4 layers; // left, right, bottom, top: points wide; 0 where the edge does not absorb
uniform float rate;

vec4 damping(vec4 low, vec4 high) {
  vec4 depth = max(max(low, high), vec4(0.));
  return rate * depth * depth;
}
// On each axis, `offset` to the right of (above) the four points.
vec4 dampingX(float offset) {
  vec4 x = columns() + 0.5 + offset;
  return damping(layers.x - x, layers.y - (cells.x - x));
}
vec4 dampingY(float offset) {
  vec4 y = vec4(float(cell().y) + 0.5 + offset);
  return damping(layers.z - y, layers.w - (cells.y - y));
}
