// STEPS steps of the elimination from k on, one or two (then k is even), and candidates for the next one. COLUMN and NEXT: the groups
// with columns k and k + STEPS, counted from FIRST_GROUP.
#include "elimination/candidates.glsl"
#include "elimination/panel_pivot.glsl"

noperspective in vec2 uv;
flat in vec4 pivot[STEPS];
flat in vec4 subtract[STEPS * GROUPS];
layout(location = 0) out vec4 result[GROUPS];

Step steps[STEPS]; // on the row at hand

void beginRow(vec4 column_group, float row, bool alive) {
  steps[0] = stepOf(pivot[0], column_group, row, alive);
#if STEPS > 1
  column_group = after(steps[0], pivot[0], column_group, subtract[COLUMN], FIRST_GROUP + COLUMN);
  steps[1] = stepOf(pivot[1], column_group, row, alive && !takesRow(pivot[0], row));
#endif
}

// Group i of those that are rendered.
vec4 afterSteps(vec4 own, int i) {
  for (int t = 0; t < STEPS; t++)
    own = after(steps[t], pivot[t], own, subtract[t * GROUPS + i], FIRST_GROUP + i);
  return own;
}

vec4 groupOf(int row) {
  ivec2 at = placeOf(row);
  vec4 c = groupAt(FIRST_GROUP + COLUMN, at);
  beginRow(c, float(row), stateOf(row) == 0.);
  return afterSteps(COLUMN == NEXT ? c : groupAt(FIRST_GROUP + NEXT, at), NEXT);
}

bool isActive(int row) {
  bool taken = false;
  for (int t = 0; t < STEPS; t++)
    taken = taken || takesRow(pivot[t], float(row));
  return stateOf(row) == 0. && !taken;
}

vec4 ownGroup(int i) { return textureLod(panel, vec3(uv, float(FIRST_GROUP + i)), 0.); }

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
  bool is_record = p.y == height;
  float row = is_record ? -2. : float(p.x + 128 * p.y);
  vec4 own[GROUPS];
  for (int i = 0; i < GROUPS; i++)
    own[i] = ownGroup(i);
#if COLUMN < 0
  beginRow(ownGroup(COLUMN), row, own[GROUPS - 1].z == 0.);
#else
  beginRow(own[COLUMN], row, own[GROUPS - 1].z == 0.);
#endif
  for (int t = 0; t < STEPS; t++)
    steps[t].l = is_record ? 0. : steps[t].l;
  for (int i = 0; i < GROUPS; i++)
    result[i] = afterSteps(own[i], i);
  result[GROUPS - 1].zw = own[GROUPS - 1].zw;
  for (int t = 0; t < STEPS; t++) {
    if (takesRow(pivot[t], row))
      result[GROUPS - 1].z = pivot[t].z + 1.;
    if (is_record && p.x == int(pivot[t].z)) {
      for (int i = 0; i < GROUPS; i++)
        result[i] = subtract[t * GROUPS + i];
      result[GROUPS - 1].zw = pivot[t].xy;
    }
  }
  result[GROUPS - 1] = orCandidate(p, result[GROUPS - 1]);
}
