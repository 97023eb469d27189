// The number of a read-back, in the texel that is read together with it (src/gl/canary.c).
uniform float serial;
out vec4 z;

void main() { z = vec4(serial); }
