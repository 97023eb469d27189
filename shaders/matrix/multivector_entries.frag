// The entries of a block of padded rows, one to a texel: (value, position in x), from four rows to a texel.
uniform sampler2D value, position;
uniform ivec2 corner; // of the block
out vec4 entry;

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy), q = corner + ivec2(p.x >> 2, p.y);
  entry = vec4(texelFetch(value, q, 0)[p.x & 3], texelFetch(position, q, 0)[p.x & 3], 0., 0.);
}
