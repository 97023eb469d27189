// A row of texels (2 x 2 entries each) of four columns of a Cholesky factorization, each in a layer of its own:
//     l_ij = (a_ij - sum_k l_ik l_jk^T) l_jj^-T,   k < j
// with what the vertex shader has made of the texels on the diagonal. Columns beyond the triangle's hold anything.
#include "triangle/cholesky_panel.glsl"

uniform sampler2D lower;
uniform float tolerance;
uniform ivec4 from; // where the first texel on the diagonal is; 1 or, turned by 180 degrees, -1; fragments in a row
flat in vec4 below[6];
flat in vec4 diagonal[4];
layout(location = 0) out vec4 result[4];

void main() {
  vec4 own[4];
  int row = int(gl_FragCoord.x) + from.w * int(gl_FragCoord.y);
  for (int i = 0; i < 4; i++)
    own[i] = texelOf(lower, from, row, i);
  for (int j = 0; j < 4; j++) {
    for (int k = 0; k < j; k++)
      own[j] -= timesTransposed(own[k], below[j * (j - 1) / 2 + k]);
    if (row == j)
      own[j] = choleskyOf(own[j], tolerance);
    else
      own[j] = overTransposed(own[j], diagonal[j]);
    result[j] = own[j];
  }
}
