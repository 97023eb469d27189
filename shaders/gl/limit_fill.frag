// The least that a pass can do: write.
uniform float value;
out vec4 y;

void main() { y = vec4(value); }
