// The documents' kernels, single entries in texels; of column k, as it was, `column` holds the entries from row k on.
//   ROOT       l_kk <- sqrt(a_kk), zero where the pivot is not above the tolerance
//   NORMALIZE  l_ik <- a_ik / l_kk
//   otherwise  a_ij <- a_ij - l_ik l_jk, by blending
uniform sampler2D column;
uniform float tolerance;
noperspective in vec2 at, local; // at: places of rows i and j in the column
out float result;

float rowAt(float y) { return textureLod(column, vec2(.5, y), 0.).r; }

void main() {
#ifdef ROOT
  float pivot = rowAt(at.x);
  result = pivot > tolerance ? sqrt(pivot) : 0.;
#elif defined(NORMALIZE)
  float pivot = texelFetch(column, ivec2(0), 0).r, l = rowAt(at.x);
  result = local.y < 1. ? l : pivot > 0. ? rowAt(at.x) / pivot : 0.;
#else
  result = -rowAt(at.x) * rowAt(at.y);
#endif
}
