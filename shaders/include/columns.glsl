// A dense matrix: the images of its columns, 2^across side by side (src/objects/matrix_dense.h).
uniform sampler2D A;
uniform vec2 A_texel;
uniform int across;
uniform ivec2 image; // size of a column's image

// Texel p of column j; beyond the last column something finite.
vec4 entry(ivec2 p, int j) {
  ivec2 at = p + image * ivec2(j & ((1 << across) - 1), j >> across);
  return textureLod(A, (vec2(at) + 0.5) * A_texel, 0.);
}
