// Waves on a grid (src/sim/wave.c): neighbours across the ends of periodic axes; beyond other edges lies zero.
uniform vec4 cells; // columns, rows, is the axis periodic?

ivec2 cell() { return ivec2(4, 1) * ivec2(gl_FragCoord.xy); } // column of the first of this texel's four points, and their row
vec4 columns() { return vec4(cell().x) + vec4(0., 1., 2., 3.); }

float fetch(sampler2D s, int i, int j) { return texelFetch(s, ivec2(i >> 2, j), 0)[i & 3]; }

// The four points dx = -1, 0, 1 columns and dy = -1, 0, 1 rows away.
vec4 beside(sampler2D s, int dx, int dy) {
  ivec2 size = ivec2(cells.xy);
  int row = cell().y + dy, held = cells.w == 0. ? row : row < 0 ? row + size.y : row >= size.y ? row - size.y : row;
  vec4 value = neighbours(s, dx, held - cell().y);
  if (dx == 0 || cells.z == 0.)
    return value;
  float other = fetch(s, dx < 0 ? size.x - 1 : 0, held);
  return mix(value, vec4(other), equal(columns(), vec4(dx < 0 ? 0. : cells.x - 1.)));
}

uniform sampler2D medium; // (s / c)^2, 0 in walls

// The weight of the link between points: the harmonic mean; 0 where one is a wall or outside.
vec4 link(vec4 a, vec4 b) { return divZ(2. * a * b, a + b); }
