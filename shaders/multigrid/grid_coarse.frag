// y <- P^T (b - A x) in one pass, away from the boundary: residuals of the three fine rows around a coarse one, never stored.
// A coarse texel needs eight fine columns and one more: texels 0, 1 and the first lane of texel 2.
#include "multigrid/grid.glsl"

uniform sampler2D x, b;
uniform vec2 x_texel;
uniform vec4 interior[3], weights[3];
out vec4 y;

#define A(k) interior[k >> 2][k & 3]

struct Line { // texels -1 to 2 of a row of x
  vec4 before, first, second, after;
};

vec4 fetch(sampler2D s, vec2 p) { return textureLod(s, p * x_texel, 0.); }
Line lineAt(vec2 p) {
  return Line(fetch(x, p - vec2(1., 0.)), fetch(x, p), fetch(x, p + vec2(1., 0.)), fetch(x, p + vec2(2., 0.)));
}

// One row of the stencil, coefficients w, c, e, over the nine columns.
struct Nine {
  vec4 first, second;
  float last;
};
Nine applied(float w, float c, float e, Line l) {
  return Nine(w * vec4(l.before.w, l.first.xyz) + c * l.first + e * vec4(l.first.yzw, l.second.x),
              w * vec4(l.first.w, l.second.xyz) + c * l.second + e * vec4(l.second.yzw, l.after.x),
              w * l.second.w + c * l.after.x + e * l.after.y);
}

// What the fine row p adds: restriction weights q of its residual.
vec4 rowSum(vec2 p, Line below, Line here, Line above, vec3 q) {
#ifdef NINE
  Nine s = applied(A(0), A(1), A(2), below), n = applied(A(6), A(7), A(8), above);
#else
  Nine s = Nine(A(1) * below.first, A(1) * below.second, A(1) * below.after.x);
  Nine n = Nine(A(7) * above.first, A(7) * above.second, A(7) * above.after.x);
#endif
  Nine c = applied(A(3), A(4), A(5), here);
  vec4 r0 = fetch(b, p) - (c.first + (s.first + n.first)), r1 = fetch(b, p + vec2(1., 0.)) - (c.second + (s.second + n.second));
  float r2 = fetch(b, p + vec2(2., 0.)).x - (c.last + (s.last + n.last));
  return q.x * vec4(r0.xz, r1.xz) + q.y * vec4(r0.yw, r1.yw) + q.z * vec4(r0.z, r1.xz, r2);
}

void main() {
  vec2 p = 2. * place() + 0.5, up = vec2(0., 1.); // the centre of the first fine texel
  Line l0 = lineAt(p - up), l1 = lineAt(p), l2 = lineAt(p + up), l3 = lineAt(p + 2. * up), l4 = lineAt(p + 3. * up);
  y = rowSum(p, l0, l1, l2, weights[0].xyz) + rowSum(p + up, l1, l2, l3, vec3(weights[0].w, weights[1].xy)) +
      rowSum(p + 2. * up, l2, l3, l4, vec3(weights[1].zw, weights[2].x));
}
