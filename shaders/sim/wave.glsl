// Waves on a grid (src/sim/wave.c): neighbours across the ends of periodic axes; beyond other edges lies zero.
// Baked in: PERIODIC_X, PERIODIC_Y
uniform vec2 cells; // columns, rows
uniform sampler2D medium; // (s / c)^2, 0 in walls

ivec2 cell() { return ivec2(4, 1) * ivec2(gl_FragCoord.xy); } // column of the first of this texel's four points, and their row
vec4 columns() { return vec4(cell().x) + vec4(0., 1., 2., 3.); }

// The four points dx = -1, 0, 1 columns and dy = -1, 0, 1 rows away.
vec4 beside(sampler2D s, int dx, int dy) {
#ifdef PERIODIC_Y
  int rows = int(cells.y), row = cell().y + dy;
  dy += row < 0 ? rows : row >= rows ? -rows : 0;
#endif
  vec4 value = neighbours(s, dx, dy);
#ifdef PERIODIC_X
  int last = int(cells.x) - 1, other = dx < 0 ? last : 0;
  float across = texelFetch(s, ivec2(other >> 2, cell().y + dy), 0)[other & 3];
  if (dx != 0)
    value = mix(value, vec4(across), equal(columns(), vec4(float(last - other))));
#endif
  return value;
}

// The weight of the link between points: the harmonic mean; 0 where one is a wall or outside.
vec4 link(vec4 a, vec4 b) { return divZ(2. * a * b, a + b); }
