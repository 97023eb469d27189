// Elimination with complete pivoting. Nothing changes places; `states` says what has been a pivot: texel i of its first row for rows 2i and
// 2i + 1, of its second row for columns: (step + 1 or 0, the same for the other one, their pivots' values).
uniform sampler2D a, states;
uniform vec2 sizes; // rows, columns

// Which of the two rows (y = 0) or columns (y = 1) of texel i can still give a pivot.
vec2 alive(int i, int y) {
  vec2 s = texelFetch(states, ivec2(i, y), 0).rg;
  return vec2(s.x == 0. && 2. * float(i) < sizes[y], s.y == 0. && 2. * float(i) + 1. < sizes[y]);
}

// (value, row, column): the larger magnitude wins, then the smaller row, then the smaller column.
vec4 better(vec4 p, vec4 q) {
  float d = abs(q.x) - abs(p.x);
  return d > 0. || (d == 0. && (q.y < p.y || (q.y == p.y && q.z < p.z))) ? q : p;
}
const vec4 no_candidate = vec4(0., 1e9, 1e9, 0.);
