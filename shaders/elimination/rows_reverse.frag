// Rows in reverse order, in 2 x 2 packing: row y of texels <- row last - y, its two rows of entries exchanged.
uniform sampler2D a;
uniform int last;
out vec4 result;

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
  result = texelFetch(a, ivec2(p.x, last - p.y), 0).barg;
}
