// The texels of leaves into their places: C += factor sum. The upper entry of a block on the diagonal stays zero.
uniform sampler2DArray sums;
uniform float factor;
noperspective in vec2 local;
flat in vec4 place;
out vec4 result;

void main() {
  ivec2 p = ivec2(local), block = p / ivec2(WIDE, HIGH), part = p - block * ivec2(WIDE, HIGH);
  vec4 v = factor * texelFetch(sums, ivec3(int(place.y) + block.x, block.y, WIDE * part.y + part.x), 0);
  if (p.x == p.y)
    v.g = 0.;
  result = place.x < 0. ? v.abgr : v;
}
