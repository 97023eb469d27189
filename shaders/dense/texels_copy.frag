// A rectangle of texels to another place.
uniform sampler2D a;
uniform ivec2 shift; // from the target's texel to the source's
out vec4 texel;

void main() { texel = texelFetch(a, ivec2(gl_FragCoord.xy) + shift, 0); }
