// The one-component texture of a vector: texel (i, j) <- lane i % 4 of texel (i / 4, j)
uniform sampler2D x;
out float y;

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
  y = texelFetch(x, ivec2(p.x >> 2, p.y), 0)[p.x & 3];
}
