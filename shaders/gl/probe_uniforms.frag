// Uniforms of several types beside the fragment's place, for a comparison on the host: z <- (sum of them, i + k, place).
uniform float a;
uniform vec2 b;
uniform vec3 c;
uniform vec4 d;
uniform int i;
uniform ivec2 k;
uniform vec4 unread; // and not given: a linker that does not follow it through the vertex shader asks for it
out vec4 z;

void main() {
  vec2 place = floor(gl_FragCoord.xy);
  z = vec4(a + b.x + b.y + c.x + c.y + c.z + d.x + d.y + d.z + d.w, float(i + k.x + k.y), place);
}
