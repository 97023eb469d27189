// Sums along an axis in logarithmically many passes: each adds the element `step` before, so that after steps of 1, 2, 4 ... an element is
// the sum of all up to itself.
uniform sampler2D x;
uniform vec2 step; // columns, rows; one of them is 0
vec4 kernel() { return texel(x, ivec2(0)) + neighbours(x, -int(step.x), -int(step.y)); }
