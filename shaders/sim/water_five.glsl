// The five-diagonal systems for the change of the level (src/sim/water_five.c): both axes at once.
#include "sim/water.glsl"
uniform sampler2D z, ground, star_x, link_x, depth_x, known_x, star_y, link_y, depth_y, known_y;
uniform vec2 share; // theta dt / dx, / dy

vec4 pullX(int dx, int dy) { return share.x * neighbours(depth_x, dx, dy) * neighbours(link_x, dx, dy); }
vec4 pullY(int dx, int dy) { return share.y * neighbours(depth_y, dx, dy) * neighbours(link_y, dx, dy); }
