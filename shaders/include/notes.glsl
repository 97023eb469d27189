// A pass drawn once more to find out which texels one of its shaders reads (src/gl/notes.c): stands before that shader, whose fetches then
// note where they look. The result is the place of fetch number txWhich: (source + 1, x, y, layer), or zeros where there were fewer
// fetches; with txWhich -1 how many there were, with -2 where a vertex is.
uniform int txWhich;

int txFetches = 0;
vec4 txNoted = vec4(0.);

void txNote(float id, ivec3 p) {
  if (txFetches++ == txWhich)
    txNoted = vec4(mod(id, 32.), vec3(p));
}

// Which source a sampler is of, and how it is sampled, stands in the colour of its border: 32 txSampling + source + 1. No fetch that the
// shader asks for gets to see it.
float txIdOf(sampler2D s) { return textureLod(s, vec2(-9.), 0.).x; }
float txIdOf(isampler2D s) { return float(textureLod(s, vec2(-9.), 0.).x); }
float txIdOf(sampler2DArray s) { return textureLod(s, vec3(-9., -9., 0.), 0.).x; }

// The texel at t, in texels; for interpolation the lower left one of four. p <- where to sample it; false: zero lies there.
bool txFind(float id, vec2 size, vec2 t, int layer, out vec2 p) {
  int sampling = int(id) / 32; // TX_EDGE, TX_ZERO, TX_BILINEAR
  bool outside = t != clamp(t, vec2(0.), size - 1e-4);
  vec2 inner = sampling == 1 ? t : clamp(t, vec2(0.5), size - 0.5);
  txNote(id, ivec3(floor(sampling == 2 ? inner - 0.5 : inner), layer));
  p = inner / size;
  return !(sampling == 1 && outside);
}
vec4 txLod(sampler2D s, vec2 p, float lod) {
  vec2 size = vec2(textureSize(s, 0)), at;
  bool there = txFind(txIdOf(s), size, p * size, 0, at);
  return there ? textureLod(s, at, lod) : vec4(0.);
}
ivec4 txLod(isampler2D s, vec2 p, float lod) {
  vec2 size = vec2(textureSize(s, 0)), at;
  bool there = txFind(txIdOf(s), size, p * size, 0, at);
  return there ? textureLod(s, at, lod) : ivec4(0);
}
vec4 txLod(sampler2DArray s, vec3 p, float lod) {
  vec2 size = vec2(textureSize(s, 0).xy), at;
  bool there = txFind(txIdOf(s), size, p.xy * size, int(p.z + 0.5), at);
  return there ? textureLod(s, vec3(at, p.z), lod) : vec4(0.);
}
vec4 txFetch(sampler2D s, ivec2 p, int lod) {
  txNote(txIdOf(s), ivec3(p, 0));
  return texelFetch(s, p, lod);
}
ivec4 txFetch(isampler2D s, ivec2 p, int lod) {
  txNote(txIdOf(s), ivec3(p, 0));
  return texelFetch(s, p, lod);
}
vec4 txFetch(sampler2DArray s, ivec3 p, int lod) {
  txNote(txIdOf(s), p);
  return texelFetch(s, p, lod);
}

vec4 txResult() { return txWhich < 0 ? vec4(txFetches) : txNoted; }

void txMain();

#ifdef OF_FRAGMENTS
out vec4 txPlace;
void main() {
  txMain();
  txPlace = txResult();
}
#endif

// Each vertex is drawn as a point at a texel of its own.
#ifdef OF_VERTICES
uniform ivec3 txDrawn; // the first vertex; the target's width and height
flat out vec4 txSeen;
void main() {
  txMain();
  txSeen = txWhich == -2 ? gl_Position : txResult();
  int k = gl_VertexID - txDrawn.x;
  vec2 texel = vec2(k % txDrawn.y, k / txDrawn.y) + 0.5;
  gl_Position = vec4(2. * texel / vec2(txDrawn.yz) - 1., 0., 1.);
}
#endif

#ifdef OF_TRIANGLE
flat out vec4 txSeen;
void main() {
  txMain();
  for (int i = 0; i < 3; i++) {
    txSeen = txResult();
    gl_Position = vec4(i == 1 ? 3. : -1., i == 2 ? 3. : -1., 0., 1.);
    EmitVertex();
  }
}
#define EmitVertex()
#endif

#define main txMain
#define textureLod txLod
#define texelFetch txFetch
#define textureLodOffset(s, p, lod, d) txLod(s, (p) + vec2(d) / vec2(textureSize(s, 0)), lod)
