// Vertex side of the scalars: up to four clFloat textures, sampled once per vertex and handed on unchanged.
uniform sampler2D txScalar0, txScalar1, txScalar2, txScalar3;
flat out vec4 scalar;

vec4 txSampleScalars() {
  ivec2 o = ivec2(0);
  return vec4(texelFetch(txScalar0, o, 0).r, texelFetch(txScalar1, o, 0).r, texelFetch(txScalar2, o, 0).r,
              texelFetch(txScalar3, o, 0).r);
}
