// A row of texels (2 x 2 entries each) of WIDTH columns of a Cholesky factorization, each in a layer of its own. A fragment factors the
// WIDTH x WIDTH texels on the diagonal, which all share, and solves for those of its own row:
//     l_jj = chol(a_jj - sum_k l_jk l_jk^T),   l_ij = (a_ij - sum_k l_ik l_jk^T) l_jj^-T,   k < j
// A pivot that is not above the tolerance becomes zero, and so does what would be divided by it. Columns beyond the triangle's hold anything.
uniform sampler2D lower;
uniform float tolerance;
uniform ivec4 from; // where the first texel on the diagonal is; 1 or, turned by 180 degrees, -1; fragments in a row
layout(location = 0) out vec4 result[WIDTH];

vec4 texelAt(int i, int j) {
  vec4 v = texelFetch(lower, from.xy + from.z * ivec2(j, i), 0);
  return from.z < 0 ? v.abgr : v;
}

// x y^T and x y^-T, y lower triangular
vec4 timesTransposed(vec4 x, vec4 y) { return x.rrbb * y.rbrb + x.ggaa * y.gaga; }
float divideOrZero(float a, float b) { return b > 0. ? a / b : 0.; }
vec4 overTransposed(vec4 x, vec4 y) {
  float s = divideOrZero(1., y.r), t = divideOrZero(1., y.a);
  vec2 first = x.rb * s, second = (x.ga - first * y.b) * t;
  return vec4(first.x, second.x, first.y, second.y);
}

float rootOf(float pivot) { return pivot > tolerance ? sqrt(pivot) : 0.; }
vec4 choleskyOf(vec4 a) {
  float d = rootOf(a.r), l = divideOrZero(a.b, d);
  return vec4(d, 0., l, rootOf(a.a - l * l));
}

void main() {
  vec4 l[WIDTH * WIDTH], own[WIDTH];
  int row = int(gl_FragCoord.x) + from.w * int(gl_FragCoord.y);
  for (int i = 0; i < WIDTH; i++)
    own[i] = texelAt(row, i);
  for (int i = 0; i < WIDTH; i++)
    for (int j = 0; j <= i; j++)
      l[WIDTH * i + j] = texelAt(i, j);
  for (int k = 0; k < WIDTH; k++) {
    vec4 d = choleskyOf(l[WIDTH * k + k]);
    own[k] = row == k ? d : overTransposed(own[k], d);
    for (int i = k + 1; i < WIDTH; i++)
      l[WIDTH * i + k] = overTransposed(l[WIDTH * i + k], d);
    for (int j = k + 1; j < WIDTH; j++) {
      own[j] -= timesTransposed(own[k], l[WIDTH * j + k]);
      for (int i = j; i < WIDTH; i++)
        l[WIDTH * i + j] -= timesTransposed(l[WIDTH * i + k], l[WIDTH * j + k]);
    }
    result[k] = own[k];
  }
}
