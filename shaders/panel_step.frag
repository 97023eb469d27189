// Step k: eliminates column k with the pivot p. With l = a_ik / a_pk,
//   PLU     a_ij <- a_ij - l a_pj for the active rows i but p, j > k; column k itself keeps its values
//   JORDAN  a_ij <- a_ij - a_ik (a_pj / a_pk) for all rows i but p, a_pj <- a_pj / a_pk, all columns j; column k, which would
//           become a unit vector, holds the transformation instead: -a_ik / a_pk, and 1 / a_pk in row p
// Without a pivot nothing changes, but Gauss-Jordan clears what is not above the tolerance.
#include "include/panel.glsl"

uniform sampler2D column, last; // the groups with column k and with the states
uniform sampler2D own0, own1, own2, own3, own4, own5, own6;
noperspective in vec2 uv;
flat in vec4 pivot;
flat in vec4 subtract[GROUPS];
uniform ivec4 search; // k
layout(location = 0) out vec4 result[GROUPS];

vec4 at(sampler2D s) { return textureLod(s, uv, 0.); }

void main() {
  vec2 p = floor(gl_FragCoord.xy);
  vec4 states = at(last), lane = vec4(equal(vec4(pivot.w), vec4(0., 1., 2., 3.)));
  bool is_pivot = p.x + 256. * p.y == pivot.x, is_record = p.y == float(height);
  float l = dot(at(column), lane);
#ifdef JORDAN
  bool found = pivot.y != 0.;
  is_pivot = is_pivot && found;
  lane *= found || states.z == 0. ? 1. : 0.; // column k begins with zeros
#define ELIMINATE(i, own)                                                                                              \
  result[i] = is_pivot ? subtract[i] : ((i) == search.x / 4 ? (own) * (1. - lane) : (own)) - l * subtract[i]
#else
  l = is_pivot || states.z != 0. || pivot.y == 0. ? 0. : l / pivot.y;
#define ELIMINATE(i, own) result[i] = (own) - l * subtract[i]
#endif
#if GROUPS > 1
  ELIMINATE(0, at(own0));
#endif
#if GROUPS > 2
  ELIMINATE(1, at(own1));
#endif
#if GROUPS > 3
  ELIMINATE(2, at(own2));
#endif
#if GROUPS > 4
  ELIMINATE(3, at(own3));
#endif
#if GROUPS > 5
  ELIMINATE(4, at(own4));
#endif
#if GROUPS > 6
  ELIMINATE(5, at(own5));
#endif
#if GROUPS > 7
  ELIMINATE(6, at(own6));
#endif
  ELIMINATE(GROUPS - 1, states);
  result[GROUPS - 1].z = is_pivot ? pivot.z + 1. : states.z;
  if (is_record)
    result[GROUPS - 1] = p.x == pivot.z ? pivot : states;
}
