// The gathered rows into their places.
uniform sampler2D gathered;
flat in float shift;
out vec4 result;

void main() { result = texelFetch(gathered, ivec2(gl_FragCoord.xy + vec2(0., shift)), 0); }
