// Inverses of diagonal blocks of a unit lower triangular L, by doubling: with those of `size` texels known,
//   [ L1  0 ]^-1   [  L1^-1             0    ]
//   [ L21 L2]    = [ -L2^-1 L21 L1^-1   L2^-1 ]
// gives those of 2 size. Size 0 begins, with single texels. Here only the block is stored, in the corner of the target.
uniform sampler2D t, inverse;
uniform ivec4 corner; // the block's first texel in T; the target's and the source's first row
uniform int size;
out vec4 result;

vec4 product(vec4 l, vec4 r) { return l.rrbb * r.rgrg + l.ggaa * r.baba; }
vec4 known(int i, int j) { return texelFetch(inverse, ivec2(j, corner.w + i), 0); }

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy) - ivec2(0, corner.z);
  if (size == 0) {
    vec4 d = texelFetch(t, corner.xy + p, 0);
    result = p.x == p.y ? vec4(1., 0., -d.b, 1.) : vec4(0.);
    return;
  }
  result = known(p.y, p.x);
  int first = p.x / (2 * size) * 2 * size, middle = first + size;
  if (p.y < middle || p.y >= middle + size || p.x >= middle)
    return;
  for (int i = middle; i <= p.y; i++) {
    vec4 sum = vec4(0.);
    for (int j = p.x; j < middle; j++)
      sum += product(texelFetch(t, corner.xy + ivec2(j, i), 0), known(j, p.x));
    result -= product(known(p.y, i), sum);
  }
}
