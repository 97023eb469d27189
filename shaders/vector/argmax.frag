// First level of an argmax: as reduce.frag, but each lane keeps its own best element and where in the strip it was; only the
// survivors become candidates (value, row, column, -).
#include "vector/reduce.glsl"

uniform vec2 span; // in the sources' texture coordinates, as stride
uniform float stride;
out vec4 best;

vec4 candidateAt(vec2 p, float k, float value, float lane) {
  p.AXIS += k * stride;
  vec2 t = texelOf(p);
  return vec4(value, t.y, 4. * t.x + lane, 0.);
}

void main() {
  vec2 first = uv * span, p = first;
  vec4 value = at(x, p), k = vec4(0.);
  for (int i = 1; i < STRIP; i++) {
    p.AXIS += stride;
    vec4 v = at(x, p);
    bvec4 larger = greaterThan(abs(v), abs(value)), nan = notEqual(v, v), had = notEqual(value, value);
    bvec4 take = bvec4(larger.x || (nan.x && !had.x), larger.y || (nan.y && !had.y), larger.z || (nan.z && !had.z),
                       larger.w || (nan.w && !had.w));
    value = mix(value, v, take);
    k = mix(k, vec4(float(i)), take);
  }
  best = better(better(candidateAt(first, k.x, value.x, 0.), candidateAt(first, k.y, value.y, 1.)),
                better(candidateAt(first, k.z, value.z, 2.), candidateAt(first, k.w, value.w, 3.)));
}
