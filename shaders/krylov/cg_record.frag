// The history of iterations <- their products; a column is an iteration, its place in the ring the column modulo the ring's slots
#include "include/pass.glsl"
#include "krylov/cg_sums.glsl"

out vec4 products;

void main() { products = summed(int(gl_FragCoord.x) % (textureSize(sums, 0).y / sums_size.y)); }
