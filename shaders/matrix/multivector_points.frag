// What a point adds to its texels.
flat in vec4 term[GROUPS];
layout(location = 0) out vec4 y[GROUPS];

void main() {
  for (int g = 0; g < GROUPS; g++)
    y[g] = term[g];
}
