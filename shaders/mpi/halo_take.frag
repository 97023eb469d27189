// Elements of a vector, one to a texel: what other ranks want to have.
uniform sampler2D x, places; // the place of an element: texel and lane
out vec4 result;

void main() {
  vec4 place = texelFetch(places, ivec2(gl_FragCoord.xy), 0);
  vec4 v = texelFetch(x, ivec2(place.xy), 0);
  result = vec4(place.z < 1. ? v.r : place.z < 2. ? v.g : place.z < 3. ? v.b : v.a, 0., 0., 1.);
}
