// A diagonal of a 2 x 2 packed matrix: texel k holds t_2k,2k and t_2k+1,2k+1, counted from the first entry of the texel `corner`.
uniform sampler2D a;
uniform ivec2 corner;
out vec2 diagonal;

void main() { diagonal = texelFetch(a, corner + ivec2(int(gl_FragCoord.x)), 0).ra; }
