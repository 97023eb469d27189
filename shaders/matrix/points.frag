// What a point adds to its texel.
flat in vec4 term;
out vec4 y;

void main() { y = term; }
