// The momentum of waves, -u_t grad u: the flux of their energy over the squared speed. In units of one over the grid's width.
uniform sampler2D height, velocity;
void kernel(out vec4 y[OUTPUTS]) {
  vec4 speed = texel(velocity, ivec2(0));
  y[0] = -0.5 * speed * (neighbours(height, 1, 0) - neighbours(height, -1, 0));
  y[1] = -0.5 * speed * (neighbours(height, 0, 1) - neighbours(height, 0, -1));
}
