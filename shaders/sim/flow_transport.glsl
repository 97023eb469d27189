// How velocities are transported: paths, and fluxes between cells.

// Where the value at `place` comes from; `offset` is the field's own in its cell. The path stays inside the domain.
vec2 origin(vec2 place, vec2 way, vec2 offset) {
  vec2 n = cells.xy, from = place - way;
  vec2 wrapped = from - n * floor((from + 0.5) / n), kept = clamp(from, -offset, n - offset);
  return mix(kept, wrapped, greaterThan(cells.zw, vec2(0.)));
}

// The way of a step, in grid steps, to second order: back from here r (q - turn r (u . grad) q). A field of now needs turn = 1/2; one that has felt
// half of the step's pressure, as MACCORMACK's, is what parcels of fluid have in the middle of their ways: 1.
#ifdef MACCORMACK
#define TURN 1.
#else
#define TURN 0.5
#endif
vec4 way(vec4 r, vec4 q, vec4 a, vec4 b, vec4 qx, vec4 qy) { return r * (q - TURN * r * (a * qx + b * qy)); }
vec4 flux(float gamma, vec4 q, vec4 a, vec4 b) { return 0.25 * (q * (a + b) + gamma * abs(q) * (a - b)); }
