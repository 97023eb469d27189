// The largest of the parts that dense_exponents.frag has found: texel k holds those of rows (COLUMNS: columns) 2k and 2k + 1.
uniform sampler2D parts;
out vec2 largest;

void main() {
  int k = int(gl_FragCoord.x);
  largest = vec2(-1e4);
#ifdef COLUMNS
  for (int i = 0; i < textureSize(parts, 0).y; i++)
    largest = max(largest, texelFetch(parts, ivec2(k, i), 0).rg);
#else
  for (int i = 0; i < textureSize(parts, 0).x; i++)
    largest = max(largest, texelFetch(parts, ivec2(i, k), 0).rg);
#endif
}
