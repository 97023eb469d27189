// STEPS steps of the elimination from k on, one or two (then k is even), and candidates for the next one.
#include "dense/candidates.glsl"
#include "dense/panel_pivot.glsl"

uniform sampler2D next; // the group with column k + STEPS; not where that is the one with column k (SAME)
noperspective in vec2 uv;
flat in vec4 pivot[STEPS];
flat in vec4 subtract[STEPS * GROUPS];
layout(location = 0) out vec4 result[GROUPS];

vec4 at(sampler2D s) { return textureLod(s, uv, 0.); }

Step steps[STEPS]; // on the row at hand

bool isTaken(float row) {
  bool taken = false;
  for (int t = 0; t < STEPS; t++)
    taken = taken || takesRow(pivot[t], row);
  return taken;
}

void beginRow(vec4 column_group, float row, bool alive) {
  steps[0] = stepOf(pivot[0], column_group, row, alive);
#if STEPS > 1
  column_group = after(steps[0], pivot[0], column_group, subtract[COLUMN], COLUMN + 8 - GROUPS);
  steps[1] = stepOf(pivot[1], column_group, row, alive && !takesRow(pivot[0], row));
#endif
}

// Group i of those that are rendered.
vec4 afterSteps(vec4 own, int i) {
  for (int t = 0; t < STEPS; t++)
    own = after(steps[t], pivot[t], own, subtract[t * GROUPS + i], i + 8 - GROUPS);
  return own;
}

vec4 groupOf(int row) {
  ivec2 at = placeOf(row);
  vec4 c = texelFetch(column, at, 0);
  beginRow(c, float(row), texelFetch(last, at, 0).z == 0.);
#ifdef SAME
  return afterSteps(c, NEXT);
#else
  return afterSteps(texelFetch(next, at, 0), NEXT);
#endif
}

bool isActive(int row) { return texelFetch(last, placeOf(row), 0).z == 0. && !isTaken(float(row)); }

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
  float row = float(p.x + 256 * p.y);
  vec4 states = at(last), own_row = states;
  beginRow(at(column), row, states.z == 0.);
#define EACH(i, s) result[i] = afterSteps(at(s), i);
  FOR_GROUPS
  result[GROUPS - 1].zw = vec2(states.z, 0.);
  for (int t = 0; t < STEPS; t++) {
    if (takesRow(pivot[t], row))
      result[GROUPS - 1].z = pivot[t].z + 1.;
    if (p.x == int(pivot[t].z))
      own_row = pivot[t];
  }
  if (p.y == height)
    result[GROUPS - 1] = own_row;
  result[GROUPS - 1] = orCandidate(p, result[GROUPS - 1]);
}
