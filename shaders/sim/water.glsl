// Shallow water on the staggered grid (src/sim/water.c). Shaders for one axis serve both: `along` means x where AXIS is 0, y
// where it is 1, `across` the other one. w is the velocity along the axis, on the side of a cell that lies in its direction
// (right, top), s the one across. What belongs to sides is zero where no cell follows: nothing crosses the rim but by rimFlow.
#ifndef AXIS
#define AXIS 0
#endif
uniform vec3 cells; // columns, rows, depth below which a face is closed

ivec2 cell() { ivec2 t = ivec2(gl_FragCoord.xy); return ivec2(4 * t.x, t.y); }

// The values of the cells (sides) a steps along and c steps across from here; zero outside.
vec4 at(sampler2D f, int a, int c) {
#if AXIS == 0
  return neighbours(f, a, c);
#else
  return neighbours(f, c, a);
#endif
}

// How deep the water is between two cells (l: this one, r: the next one), whose ground lies no higher than `sill` (1e9: a
// wall). Over water that is deep beside the ground's and the surface's steps it is the mean depth, above a bare sill what
// reaches over it; UPWIND: counted from the level on the side that the water w comes from.
vec4 faceDepth(vec4 zl, vec4 zr, vec4 bl, vec4 br, vec4 sill, vec4 w) {
  vec4 steps = max(abs(zl - zr), abs(bl - br)) + 1e-6;
  vec4 deep = clamp((min(zl, zr) - sill) / steps, 0., 1.);
#ifdef UPWIND
  vec4 level = mix(mix(zr, zl, greaterThan(w, vec4(0.))), max(zl, zr), equal(w, vec4(0.)));
  return max(level - mix(sill, 0.5 * (bl + br), deep), 0.);
#else
  return max(mix(max(zl, zr) - sill, 0.5 * (zl + zr - bl - br), deep), 0.);
#endif
}

#if defined RIM_FLOWS && defined RIM
// What leaves the grid, as a depth in one stage: share * (a (z - still) + q), by the side's row of the table `rim`:
//   stiff, radiating: a = stiff + radiating sqrt(g H);   still;   q
// and by the part of it from..to (in cells).
uniform vec4 rim_left, rim_right, rim_bottom, rim_top; // stiff, radiating, still, q
uniform vec4 parts_x, parts_y;                         // from, to of left and right; of bottom and top
uniform vec2 shares;                                   // duration of the stage / dx, / dy

void addSide(vec4 side, float share, vec4 here, vec4 z, vec4 depth, inout vec4 a, inout vec4 q) {
  vec4 pull = share * here * (side.x + side.y * sqrt(depth));
  vec4 still = max(vec4(side.z), z - depth); // a level below the ground drains a cell, no more
  a += pull;
  q += pull * (z - still) + share * here * side.w;
}

vec4 within(vec4 k, vec2 part) { return step(part.x, k) * (1. - step(part.y, k)); }

// The flow through the rim is q + a (change of z). A loop of one turn or none, since software devices run both sides of a branch.
void rimFlow(sampler2D level, sampler2D bed, out vec4 a, out vec4 q) {
  ivec2 c = cell(), last = ivec2(cells.xy) - 1;
  bool beside = c.x == 0 || c.y == 0 || c.x + 3 >= last.x || c.y == last.y;
  a = vec4(0.);
  q = vec4(0.);
  for (int k = 0; k < (beside ? 1 : 0); k++) {
    vec4 i = vec4(c.x) + vec4(0.5, 1.5, 2.5, 3.5), j = vec4(float(c.y) + 0.5), z = texel(level), depth = z - texel(bed);
    vec4 ground = step(z, vec4(1e8)); // not in walls
    addSide(rim_left, shares.x, ground * within(j, parts_x.xy) * step(i, vec4(1.)), z, depth, a, q);
    addSide(rim_right, shares.x, ground * within(j, parts_x.zw) * step(vec4(cells.x - 1.), i), z, depth, a, q);
    addSide(rim_bottom, shares.y, ground * within(i, parts_y.xy) * step(j, vec4(1.)), z, depth, a, q);
    addSide(rim_top, shares.y, ground * within(i, parts_y.zw) * step(vec4(cells.y - 1.), j), z, depth, a, q);
  }
}
#else // walls all around, or far from it
void rimFlow(sampler2D level, sampler2D bed, out vec4 a, out vec4 q) {
  a = vec4(0.);
  q = vec4(0.);
}
#endif
