// The layers of tridiagonal_factor.frag side by side along the systems, so that one fetch of a plane texture finds them.
// LAYERS: how many there are.
#include "tridiagonal/tridiagonal_block.glsl"

uniform sampler2DArray layers;
uniform vec2 layers_texel;
out vec4 y;

void main() {
  float at = block(), from = floor((at + 0.5) * (1. / float(LAYERS)));
  y = textureLod(layers, vec3(PLACE((from + 0.5) * ALONG(layers_texel), across()), at - float(LAYERS) * from), 0.);
}
