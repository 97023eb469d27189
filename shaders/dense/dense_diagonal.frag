// The diagonal of a 2 x 2 packed matrix: texel k holds t_2k,2k and t_2k+1,2k+1.
uniform sampler2D a;
out vec2 diagonal;

void main() { diagonal = texelFetch(a, ivec2(int(gl_FragCoord.x)), 0).ra; }
