// The gathered rows into their places.
uniform sampler2D gathered;
noperspective in vec2 from_uv;
out vec4 result;

void main() { result = textureLod(gathered, from_uv, 0.); }
