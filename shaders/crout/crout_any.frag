// Texel i: has any row of texels of section i changed?
uniform sampler2D rows;
out float changed;

void main() {
  int height = textureSize(rows, 0).y;
  float any = 0.;
  for (int y = 0; y < height; y++)
    any = max(any, texelFetch(rows, ivec2(int(gl_FragCoord.x), y), 0).r);
  changed = any;
}
