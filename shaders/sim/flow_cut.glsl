// Cells cut by smooth walls (src/sim/flow_walls.c). The maps open_u and open_v hold the part of a face that is open; 0: closed at a side;
// -1: closed by a wall.
uniform sampler2D wall_u, wall_v; // friction W

// What walls leave of a face: all of it at and beyond sides.
vec4 part(vec4 open) { return mix(max(open, 0.), vec4(1.), equal(open, vec4(0.))); }
vec4 isOpen(vec4 a) { return vec4(greaterThan(a, vec4(0.))); }
// The link between two velocities whose faces are open by a and b: across both, or along them, through faces open by c and d. Middles of
// open parts lie closer together than those of faces.
vec4 across(vec4 a, vec4 b) { return isOpen(b) * 0.5 * (a + b); }
vec4 along(vec4 a, vec4 b, vec4 c, vec4 d) { return isOpen(b) * 0.5 * (c + d) / (1. - 0.5 * abs(a - b)); }
