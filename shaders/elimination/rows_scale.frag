// Row i times s_i, in 2 x 2 packing.
uniform sampler2D a, scale; // scale: texel k holds s_2k, s_2k+1
out vec4 result;

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
  result = texelFetch(a, p, 0) * texelFetch(scale, ivec2(p.y, 0), 0).xxyy;
}
