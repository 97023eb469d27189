// A dense matrix: the images of its columns, one above the other; with ACROSS, 2^across of them side by side
// (src/matrix/columns.h).
uniform sampler2D A;
uniform vec2 A_texel;
uniform ivec2 image; // size of a column's image

#ifdef ACROSS
uniform int across;
vec2 originOf(int j) { return vec2(image * ivec2(j & ((1 << across) - 1), j >> across)); }
#else
vec2 originOf(int j) { return vec2(0., float(j) * float(image.y)); }
#endif

// Texel p of column j; beyond the last column something finite.
vec4 entry(ivec2 p, int j) { return textureLod(A, (vec2(p) + originOf(j) + 0.5) * A_texel, 0.); }
