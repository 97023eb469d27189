// Arithmetic of blocks of 2 x 2 in a Cholesky factorization. A pivot that is not above the tolerance becomes zero, and so does what would be divided
// by it.

vec4 texelOf(sampler2D lower, ivec4 from, int i, int j) {
  vec4 v = texelFetch(lower, from.xy + from.z * ivec2(j, i), 0);
  return from.z < 0 ? v.abgr : v;
}

// x y^T
vec4 timesTransposed(vec4 x, vec4 y) { return x.rrbb * y.rbrb + x.ggaa * y.gaga; }

float divideOrZero(float a, float b) { return b > 0. ? a / b : 0.; }

float rootOf(float pivot, float tolerance) { return pivot > tolerance ? sqrt(pivot) : 0.; }
vec4 choleskyOf(vec4 a, float tolerance) {
  float d = rootOf(a.r, tolerance), l = divideOrZero(a.b, d);
  return vec4(d, 0., l, rootOf(a.a - l * l, tolerance));
}

// Of a lower triangle l: 1 / l_00, 0, l_10, 1 / l_11.
vec4 inverseOf(vec4 l) { return vec4(divideOrZero(1., l.r), 0., l.b, divideOrZero(1., l.a)); }
// x l^-T
vec4 overTransposed(vec4 x, vec4 inverse) {
  vec2 first = x.rb * inverse.r, second = (x.ga - first * inverse.b) * inverse.a;
  return vec4(first.x, second.x, first.y, second.y);
}
