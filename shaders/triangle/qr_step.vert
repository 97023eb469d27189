// The reflection of column k, from the sums: with alpha = a_kk and length^2 = alpha^2 + sum a_ik^2
//     beta = -sign(alpha) length,   v_i = a_ik / (alpha - beta),   tau = (beta - alpha) / beta
// and what is subtracted from column j, times v: tau v^T a_j. A column of zeros is reflected, too, by v = e_k, tau = 2.
#include "include/rect.glsl"
#include "triangle/qr_panel.glsl"

uniform sampler2DArray panel;
flat out vec4 times[GROUPS];
flat out vec2 reflection; // 1 / (alpha - beta), beta

void main() {
  vec4 sum[GROUPS];
  ivec2 head = placeOf(shape.w);
  for (int g = 0; g < GROUPS; g++)
    sum[g] = vec4(0.);
  for (int x = 0; x < shape.z; x += 4) /* strips are a multiple of four */
    for (int g = 0; g < GROUPS; g++)
      sum[g] += (texelFetch(panel, ivec3(x, shape.y, FIRST + g), 0) + texelFetch(panel, ivec3(x + 1, shape.y, FIRST + g), 0)) +
                (texelFetch(panel, ivec3(x + 2, shape.y, FIRST + g), 0) + texelFetch(panel, ivec3(x + 3, shape.y, FIRST + g), 0));
  float alpha = texelFetch(panel, ivec3(head, FIRST), 0)[shape.w & 3];
  float length = sqrt(alpha * alpha + sum[0][shape.w & 3]), beta = alpha > 0. ? -length : length;
  float scale = length > 0. ? 1. / (alpha - beta) : 0., tau = length > 0. ? (beta - alpha) / beta : 2.;
  for (int g = 0; g < GROUPS; g++) {
    vec4 j = 4. * float(FIRST + g) + vec4(0., 1., 2., 3.);
    times[g] = vec4(greaterThan(j, vec4(shape.w))) * tau * (texelFetch(panel, ivec3(head, FIRST + g), 0) + scale * sum[g]);
  }
  reflection = vec2(scale, beta);
  coverRectangle();
}
