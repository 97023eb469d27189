// Water over its ground, four pixels of a row at once: each is red + 256 green + 65536 blue.
//   MAP   from above   otherwise in parallel projection: each pixel's ray is followed down to the surface, which is the level
//         over wet ground and the ground elsewhere
//   COLOURED  the values z alone, with colours of a map by height
// Depth gives the water its colour, slopes the light; land is green, brown and grey by height, walls are stone.
#ifdef COLOURED
uniform sampler2D z, colours;
#else
uniform sampler2D z, ground;
#endif
uniform vec4 grid;    // columns, rows, pixels along and up the picture
uniform vec4 heights; // lowest and highest ground shown, a wave that is seen well, depth where water is seen
uniform vec4 camera;  // cosine and sine of the azimuth, of the tilt
uniform vec3 place;   // heights in cells, pixels to cells, light's strength on land
const vec3 stone = vec3(96., 98., 108.), backdrop = vec3(24., 27., 34.);

float element(sampler2D s, ivec2 c) {
  vec4 t = textureLod(s, (vec2(c.x >> 2, c.y) + 0.5) / vec2(textureSize(s, 0)), 0.); // software devices sample faster than they fetch
  int lane = c.x & 3;
  return lane < 2 ? (lane == 0 ? t.x : t.y) : (lane == 2 ? t.z : t.w);
}
float at(sampler2D s, ivec2 c) { return element(s, clamp(c, ivec2(0), ivec2(grid.xy) - 1)); }
// Walls are a little higher than all land.
#ifdef COLOURED
#define HIGHEST heights.y
float held(sampler2D s, ivec2 c) { return clamp(at(s, c), heights.x, heights.y); }
#else
#define HIGHEST (heights.y * 1.05 + heights.z)
float held(sampler2D s, ivec2 c) { return min(at(s, c), HIGHEST); }
#endif
float smoothly(sampler2D s, vec2 p) {
  vec2 low = floor(p - 0.5), t = p - 0.5 - low;
  ivec2 c = ivec2(low);
  return mix(mix(held(s, c), held(s, c + ivec2(1, 0)), t.x), mix(held(s, c + ivec2(0, 1)), held(s, c + 1), t.x), t.y);
}
// The same with its differences over two cells, along x and y: of the 4 x 4 values around p all but the corners' take part.
vec3 sloping(sampler2D s, vec2 p) {
  vec2 low = floor(p - 0.5), t = p - 0.5 - low;
  ivec2 c = ivec2(low);
  vec4 lower, upper; // columns -1 to 2 of rows 0 and 1
  for (int k = 0; k < 4; k++) {
    lower[k] = held(s, c + ivec2(k - 1, 0));
    upper[k] = held(s, c + ivec2(k - 1, 1));
  }
  vec4 row = mix(lower, upper, t.y);
  vec2 before = vec2(held(s, c + ivec2(0, -1)), held(s, c + ivec2(1, -1))), after = vec2(held(s, c + ivec2(0, 2)), held(s, c + ivec2(1, 2)));
  vec2 rise = mix(upper.yz, after, t.y) - mix(before, lower.yz, t.y);
  vec3 along = mix(row.xyz, row.yzw, t.x);
  return vec3(along.y, along.z - along.x, mix(rise.x, rise.y, t.x));
}

#ifndef COLOURED
vec3 landColour(float height) {
  float t = clamp(height / max(heights.y, 1e-6), 0., 1.), below = clamp(height / min(heights.x, -1e-6), 0., 1.);
  vec3 c = t < 0.5 ? mix(vec3(121., 143., 85.), vec3(158., 134., 95.), 2. * t) : mix(vec3(158., 134., 95.), vec3(190., 186., 180.), 2. * t - 1.);
  return height < 0. ? mix(vec3(190., 176., 130.), vec3(116., 104., 84.), below) : c;
}
#endif

float lit(vec2 d, float strength) {
  float shade = strength * (d.x - d.y);
  return 1. + 0.45 * shade / (1. + abs(shade));
}

#ifdef COLOURED
vec3 colourAt(vec2 p) {
  vec3 top = sloping(z, p);
  float span = heights.y - heights.x, part = (top.x - heights.x) / span;
  float number = element(colours, ivec2(int(clamp(part, 0., 1.) * 1023. + 0.5), 0));
  float blue = floor(number / 65536.), rest = number - 65536. * blue, green = floor(rest / 256.);
  return vec3(rest - 256. * green, green, blue) * lit(top.yz, place.z / span);
}
vec3 sideAt(vec3 q) { return vec3(74., 80., 94.); }
#else
vec3 colourAt(vec2 p) {
  vec3 bed = sloping(ground, p), level = sloping(z, p);
  float depth = max(level.x - bed.x, 0.);
  vec3 land = at(ground, ivec2(floor(p))) > 1e8 ? stone : landColour(bed.x);
  land *= lit(bed.yz, place.z / max(heights.y - heights.x, 1e-6));
  float deep = 1. - exp(-depth / (0.35 * max(heights.w, 1e-6))), clear = 1. - exp(-depth / (0.04 * max(heights.w, 1e-6)));
  vec3 blue = mix(vec3(86., 170., 190.), vec3(20., 62., 120.), deep);
  vec2 d = level.yz;
  float glint = pow(clamp(0.5 + 0.7 * (d.x - d.y) / heights.z, 0., 1.), 4.);
  vec3 surface = blue * lit(d, 1.6 / heights.z) + 55. * glint + 60. * smoothstep(0.5, 1.5, abs(d.x) / heights.z + abs(d.y) / heights.z);
  return mix(land, surface, clear);
}
vec3 sideAt(vec3 q) { return q.z > place.x * smoothly(ground, q.xy) ? vec3(38., 86., 132.) : vec3(92., 82., 68.); }
#endif

#ifdef MAP
vec3 pixel(vec2 p) { return colourAt((p + 0.5) * place.y); }
#else
vec3 pixel(vec2 p) {
  vec2 a = camera.xy, s = (p + 0.5 - 0.5 * grid.zw) * place.y;
  float c = camera.z, e = camera.w, k = place.x;
  vec3 way = vec3(a * c, -e), right = vec3(a.y, -a.x, 0.), up = vec3(a * e, c);
  float top = k * HIGHEST, bottom = k * heights.x - 0.04 * grid.x;
  vec3 from = vec3(0.5 * grid.xy, 0.5 * (top + k * heights.x)) + s.x * right + s.y * up;
  from += way * ((from.z - top) / e);
  float length = (top - bottom) / e, before = 0., now = 0.;
  // only the part of the ray above the grid
  vec2 first = (mix(grid.xy, vec2(0.), greaterThan(way.xy, vec2(0.))) - from.xy) / way.xy;
  vec2 last = (mix(vec2(0.), grid.xy, greaterThan(way.xy, vec2(0.))) - from.xy) / way.xy;
  float begin = max(max(first.x, first.y), 0.), end = min(min(last.x, last.y), length);
  if (begin >= end)
    return backdrop;
  int most = int(clamp(1.4 * (end - begin) * c, 8., 96.)); // three steps in two cells
  float part = (end - begin) / float(most), t = begin, over = 0.;
  bool hit = false;
  int n = 0;
  for (; n <= most && !hit; n++) {
    vec3 q = from + way * t;
    now = q.z - k * held(z, ivec2(floor(q.xy)));
    hit = now <= 0.;
    over = hit ? over : now;
    t += hit ? 0. : part;
  }
  if (!hit)
    return backdrop;
  if (n == 1 && begin > 0.) { // the side of the block; what is as high as its top is seen from above
    vec3 q = from + way * begin;
    return q.z < bottom ? backdrop : sideAt(q) * (first.x > first.y ? 1. : 0.8);
  }
  t = n == 1 ? begin : t - part * clamp(-now / (over - now), 0., 1.);
  return colourAt(clamp((from + way * t).xy, vec2(0.5), grid.xy - 0.5));
}
#endif

vec4 kernel() {
  vec2 p = vec2(4., 1.) * floor(gl_FragCoord.xy);
  vec4 y;
  for (int i = 0; i < 4; i++) {
    float number = dot(floor(clamp(pixel(p + vec2(float(i), 0.)), 0., 255.) + 0.5), vec3(1., 256., 65536.));
    y = mix(y, vec4(number), equal(ivec4(0, 1, 2, 3), ivec4(i)));
  }
  return y;
}
