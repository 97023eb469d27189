// Joins the parts of multivector_columns.frag into one multivector: y <- ca s + cb b
#include "matrix/multivector.glsl"

uniform sampler2D s0, s1, s2, s3;
uniform float span, step; // from y's texture coordinates to the images'; from one image to the next
uniform int parts;

void main() {
  vec4 lane = rowLane(), sum = vec4(0.);
  vec2 p = vec2(span * uv.x, step * uv.y);
  for (int k = 0; k < parts; k++) {
    sum += vec4(dot(textureLod(s0, p, 0.), lane), dot(textureLod(s1, p, 0.), lane), dot(textureLod(s2, p, 0.), lane),
                dot(textureLod(s3, p, 0.), lane));
    p.y += step;
  }
  finish(sum);
}
