// A point on the way of a particle, shared out bilinearly between four elements of the trails: as much as the way is long.
layout(location = 0) in vec3 particle; // column and row of its texel, its lane there
layout(location = 1) in vec3 part;     // how far back along the way, 0..1; left or right texel; lower or upper row
uniform sampler2D place_x, place_y, way_x, way_y;
uniform vec4 sizes; // elements per cell and per row, 2 / the target's size in texels
uniform float weight;
flat out vec4 term;

float at(sampler2D s) { return dot(texelFetch(s, ivec2(particle.xy), 0), vec4(equal(vec4(particle.z), vec4(0., 1., 2., 3.)))); }

void main() {
  vec2 way = vec2(at(way_x), at(way_y)), place = vec2(at(place_x), at(place_y)) - part.x * way;
  vec2 p = sizes.x * place - 0.5, low = floor(p), t = p - low;
  float left = floor(0.25 * low.x), right = floor(0.25 * (low.x + 1.)), texel = part.y > 0. ? right : left;
  float row = low.y + part.z, share = weight * sizes.x * length(way) * (part.z > 0. ? t.y : 1. - t.y);
  vec4 column = 4. * texel + vec4(0., 1., 2., 3.);
  vec4 w = (1. - t.x) * vec4(equal(column, vec4(low.x))) + t.x * vec4(equal(column, vec4(low.x + 1.)));
  term = share * w * vec4(lessThan(column, vec4(sizes.y)));
  bool twice = part.y > 0. && left == right;
  gl_Position = vec4(twice ? vec2(2.) : (vec2(texel, row) + 0.5) * sizes.zw - 1., 0., 1.);
}
