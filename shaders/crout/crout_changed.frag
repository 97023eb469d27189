// Texel (i, y): has any entry in row y of texels of section i changed by more than the tolerance? What is not a number has. Tiles that
// are zero are not looked at. Numbers are told by their bits: compilers turn !(a <= b) into a > b, which is false where a is none.
uniform sampler2D z, before, sections, fill; // sections: first column and row, columns and rows, in texels
uniform float first;                         // number of the first section
uniform float tolerance;
uniform int tile; // texels of a tile's side
out float changed;

bool isFinite(vec4 v) {
  const ivec4 exponent = ivec4(0x7f800000);
  return all(notEqual(floatBitsToInt(v) & exponent, exponent));
}

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
  int number = p.x + int(first), width = textureSize(sections, 0).x;
  ivec4 s = ivec4(texelFetch(sections, ivec2(number % width, number / width), 0));
  int end = p.y < s.w ? s.x + s.z : s.x, row = s.y + p.y;
  bool some = false;
  for (int x = s.x; x < end; x += tile)
    if (texelFetch(fill, ivec2(x / tile, row / tile), 0).r != 0.)
      for (int i = x; i < min(x + tile, end); i++) {
        vec4 now = texelFetch(z, ivec2(i, row), 0), old = texelFetch(before, ivec2(i, row), 0);
        some = some || !isFinite(now) || !isFinite(old) || any(greaterThan(abs(now - old), vec4(tolerance)));
      }
  changed = float(some);
}
