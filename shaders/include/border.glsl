// The texel of s at p; zero outside where the source's sampling is TX_ZERO. OpenGL ES has no borders: there the shader looks, and a
// source of another sampling is to be fetched by textureLod alone. It fetches in any case: to choose between two numbers is no branch.
#ifdef GL_ES
vec4 bordered(sampler2D s, vec2 p) {
  vec4 v = textureLod(s, p, 0.);
  return p == clamp(p, 0., 1.) ? v : vec4(0.);
}
#else
#define bordered(s, p) textureLod(s, p, 0.)
#endif
