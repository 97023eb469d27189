// A quad for each row of texels that is copied: from any row of the source to any row of the target.
layout(location = 0) in vec3 corner; // x of the corner, 0..1; its row in the target, and in the source
uniform vec2 extent;                 // of the target
uniform vec2 gathered_texel;         // of the source
noperspective out vec2 from_uv;

void main() {
  vec2 at = vec2(corner.x, corner.y / extent.y);
  from_uv = vec2(corner.x, corner.z * gathered_texel.y);
  gl_Position = vec4(2. * at - 1., 0., 1.);
}
