// Texels of 2 x 2 entries as small matrices; d is one of the diagonal, factored: l11, u12, l21, l22.
vec4 times(vec4 a, vec4 b) { return a.rrbb * b.rgrg + a.ggaa * b.baba; }

// X with X U = V
vec4 overUpper(vec4 v, vec4 d) { return v - vec4(0., v.r * d.g, 0., v.b * d.g); }

// X with L X = V
vec4 overLower(vec4 v, vec4 d) {
  vec2 top = v.rg / d.r;
  return vec4(top, (v.ba - d.b * top) / d.a);
}
