// One texel of C += factor S S^T, on or below the diagonal: the sum over k in [inner.x, inner.y) of the products of this row's and this
// column's texels of S, 2 x 2 entries or (SINGLE) one. The upper entry of a block on the diagonal stays zero.
uniform sampler2D s;
uniform vec3 inner; // first k, end, one k in texture coordinates
uniform float factor;
noperspective in vec2 at, local;
flat in vec4 place; // x: turn
out vec4 result;

#ifdef SINGLE
#define ADD(s, u, v) s.x += u.x * v.x
#else
#define ADD(s, u, v) s += u.xxzz * v.xzxz; s += u.yyww * v.ywyw
#endif

vec4 sum;

void addProduct(float k) {
  float x = (k + .5) * inner.z;
  vec4 left = textureLod(s, vec2(x, at.x), 0.), right = textureLod(s, vec2(x, at.y), 0.);
  ADD(sum, left, right);
}

void main() {
  sum = vec4(0.);
  float k = inner.x;
  for (; k + 3. < inner.y; k += 4.) {
    addProduct(k);
    addProduct(k + 1.);
    addProduct(k + 2.);
    addProduct(k + 3.);
  }
  for (; k < inner.y; k += 1.)
    addProduct(k);
  vec4 v = factor * sum;
#ifndef SINGLE
  if (abs(local.x - local.y) < .5)
    v.g = 0.;
  v = place.x < 0. ? v.abgr : v;
#endif
  result = v;
}
