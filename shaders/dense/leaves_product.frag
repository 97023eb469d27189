// WIDE x HIGH texels of S S^T, each in a layer: the sums over k of the products of rows of S, 2 x 2 entries to a texel.
uniform sampler2D s;
uniform float inner; // k
noperspective in vec2 at;
flat in vec4 place;
layout(location = 0) out vec4 result[WIDE * HIGH];

vec4 sum[WIDE * HIGH];

void addProducts(float k) {
  vec4 left[HIGH], right[WIDE];
  float x = (k + .5) * place.z;
  for (int i = 0; i < HIGH; i++)
    left[i] = textureLod(s, vec2(x, at.x + float(i) * place.w), 0.);
  for (int j = 0; j < WIDE; j++)
    right[j] = textureLod(s, vec2(x, at.y + float(j) * place.w), 0.);
  for (int i = 0; i < HIGH; i++)
    for (int j = 0; j < WIDE; j++) {
      sum[WIDE * i + j] += left[i].xxzz * right[j].xzxz;
      sum[WIDE * i + j] += left[i].yyww * right[j].ywyw;
    }
}

void main() {
  for (int t = 0; t < WIDE * HIGH; t++)
    sum[t] = vec4(0.);
  float k = 0.;
  for (; k + 3. < inner; k += 4.) {
    addProducts(k);
    addProducts(k + 1.);
    addProducts(k + 2.);
    addProducts(k + 3.);
  }
  for (; k < inner; k += 1.)
    addProducts(k);
  for (int t = 0; t < WIDE * HIGH; t++)
    result[t] = sum[t];
}
