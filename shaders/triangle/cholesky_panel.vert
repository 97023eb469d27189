// Factors the 4 x 4 texels on the diagonal of a panel, once for all rows:
//     l_jj = chol(a_jj - sum_k l_jk l_jk^T),   l_ij = (a_ij - sum_k l_ik l_jk^T) l_jj^-T,   k < j < i
// and hands on what rows are solved with.
#include "include/rect.glsl"
#include "triangle/cholesky_panel.glsl"

uniform sampler2D lower;
uniform ivec4 from; // where the first texel on the diagonal is; 1 or, turned by 180 degrees, -1; fragments in a row
uniform float tolerance;
flat out vec4 below[6];    // l_ij, j < i: i (i - 1) / 2 + j
flat out vec4 diagonal[4]; // of l_jj: 1 / its diagonal, with the entry below it between

void main() {
  vec4 l[4];
  for (int i = 0; i < 4; i++) {
    for (int j = 0; j < i; j++) {
      l[j] = texelOf(lower, from, i, j);
      for (int k = 0; k < j; k++)
        l[j] -= timesTransposed(l[k], below[j * (j - 1) / 2 + k]);
      below[i * (i - 1) / 2 + j] = l[j] = overTransposed(l[j], diagonal[j]);
    }
    vec4 d = texelOf(lower, from, i, i);
    for (int k = 0; k < i; k++)
      d -= timesTransposed(l[k], l[k]);
    diagonal[i] = inverseOf(choleskyOf(d, tolerance));
  }
  coverRectangle();
}
