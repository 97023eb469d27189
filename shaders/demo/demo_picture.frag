// A picture of a field, four pixels of a row at once: each is red + 256 green + 65536 blue, which a float holds exactly.
//   NEAREST  the values have one element per pixel        STONES  some cells are stones        LIT  in light from the upper left
//   LINES    with lines of equal values, ten from end to end of the colours
//   TINTED   greyer where `tint` says so
//   PAINTED  the values are a picture's numbers: it stays, below what is drawn over it
//   MAGNIFIED  elements and cells are at least two pixels wide
//   ARROWS   with arrows along (across, up), FACES: on the cells' faces; STREAMS: with lines of equal `psi`
#ifdef TINTED
uniform sampler2D tint;
#endif
#ifdef ARROWS
uniform sampler2D across, up;
#endif
#ifdef STREAMS
uniform sampler2D psi;
#endif
#if defined ARROWS || defined STREAMS
uniform float spacing; // of arrows in pixels; of streamlines in parts of the largest |psi|
#endif
uniform sampler2D values, solid, colours;
uniform vec4 sizes; // columns and rows of the values, of the cells
uniform vec2 steps; // elements of the values per pixel, cells per pixel
uniform vec3 range; // value of the first colour, 1 / (last - first), strength of the light

const vec3 missing = vec3(255., 0., 255.);

float at(sampler2D s, ivec2 c) {
  vec4 t = texelFetch(s, ivec2(c.x >> 2, c.y), 0);
  int lane = c.x & 3;
  return lane < 2 ? (lane == 0 ? t.x : t.y) : (lane == 2 ? t.z : t.w);
}
ivec2 held(ivec2 c, vec2 n) { return clamp(c, ivec2(0), ivec2(n) - 1); }

// The four elements around a place, whose centres lie at whole numbers, and their weights.
vec4 around(sampler2D s, vec2 place, vec2 n) {
  ivec2 low = ivec2(floor(place));
  return vec4(at(s, held(low, n)), at(s, held(low + ivec2(1, 0), n)), at(s, held(low + ivec2(0, 1), n)),
              at(s, held(low + 1, n)));
}
#ifdef MAGNIFIED
// Four pixels of a row lie between four elements of two rows: they are fetched once, by the texel.
struct Window {
  ivec2 first; // its lower left element
  vec4 lower, upper;
};

// Elements c.x to c.x + 3 of row c.y; beyond the ends of the row those at the ends.
vec4 fourFrom(sampler2D s, ivec2 c, ivec2 n) {
  int at = c.x >> 2, shift = c.x & 3;
  vec4 a = texelFetch(s, ivec2(max(at, 0), c.y), 0), b = texelFetch(s, ivec2(min(at + 1, n.x - 1 >> 2), c.y), 0);
  vec4 f = shift < 2 ? (shift == 0 ? a : vec4(a.yzw, b.x)) : (shift == 2 ? vec4(a.zw, b.xy) : vec4(a.w, b.xyz));
  f.x = c.x < 0 ? f.y : f.x;
  f.y = c.x + 1 < n.x ? f.y : f.x;
  f.z = c.x + 2 < n.x ? f.z : f.y;
  f.w = c.x + 3 < n.x ? f.w : f.z;
  return f;
}
// Around the pixels from p on, of which each is `wide` elements wide.
Window windowAt(sampler2D s, vec2 p, float wide, vec2 size) {
  ivec2 first = ivec2(floor((p + 0.5) * wide - 0.5)), n = ivec2(size);
  int last = n.y - 1;
  return Window(first, fourFrom(s, ivec2(first.x, clamp(first.y, 0, last)), n), fourFrom(s, ivec2(first.x, clamp(first.y + 1, 0, last)), n));
}
vec4 around(Window w, vec2 place, vec2 n) {
  int k = int(floor(place.x)) - w.first.x;
  return k == 0 ? vec4(w.lower.xy, w.upper.xy) : k == 1 ? vec4(w.lower.yz, w.upper.yz) : vec4(w.lower.zw, w.upper.zw);
}
Window value_window, solid_window;
#else
#define value_window values
#define solid_window solid
#endif
vec4 weights(vec2 place) {
  vec2 t = place - floor(place);
  return vec4((1. - t.x) * (1. - t.y), t.x * (1. - t.y), (1. - t.x) * t.y, t.x * t.y);
}

#ifdef STONES
#include "stones.glsl"
// How much of a pixel at a place (in cells) is no stone.
float openAt(vec2 cell) { return 1. - stoneIn(dot(weights(cell), around(solid_window, cell, sizes.zw)), steps.y); }
#endif

// The value at a place between four elements; stones have none.
float valueOf(vec2 place, vec4 elements, vec4 stones) {
  vec4 w = weights(place);
#ifdef STONES
  vec4 open = w * vec4(lessThan(stones, vec4(0.5)));
  float sum = dot(open, vec4(1.));
  w = sum > 0. ? open / sum : w;
#endif
  return dot(w, elements);
}

// The value at a pixel, and at one of those of this fragment.
float valueAt(vec2 p) {
  vec2 place = (p + 0.5) * steps.x - 0.5;
#ifdef NEAREST
  return at(values, held(ivec2(floor(place + 0.5)), sizes.xy));
#else
  return valueOf(place, around(values, place, sizes.xy), around(solid, place, sizes.zw));
#endif
}
#ifdef MAGNIFIED
float valueHere(vec2 p) {
  vec2 place = (p + 0.5) * steps.x - 0.5;
  return valueOf(place, around(value_window, place, sizes.xy), around(solid_window, place, sizes.zw));
}
#else
#define valueHere valueAt
#endif

float light(vec2 p) {
  vec2 d = vec2(1. / steps.x, 0.);
  float rise = valueAt(p + d) - valueAt(p - d) + valueAt(p - d.yx) - valueAt(p + d.yx);
  float shade = range.z * range.y * rise;
  return 1. + 0.6 * shade / (1. + abs(shade));
}

vec3 colourOf(float value) {
#ifdef PAINTED
  float number = value;
#else
  float t = clamp((value - range.x) * range.y, 0., 1.), number = at(colours, ivec2(int(t * 1023. + 0.5), 0));
#endif
  float blue = floor(number / 65536.), rest = number - 65536. * blue, green = floor(rest / 256.);
  return value == value ? vec3(rest - 256. * green, green, blue) : missing;
}

#ifdef LINES
float between(float value) { return floor(10. * (value - range.x) * range.y); }
#endif

// An ink that is seen on the colour, and how much of it covers.
vec3 inked(vec3 c, float cover) { return mix(c, vec3(dot(c, vec3(0.3, 0.6, 0.1)) > 120. ? 20. : 245.), cover); }

#ifdef ARROWS
// How much of a pixel is covered by the arrow of its square, whose length is as the root of the speed.
float arrow(vec2 p) {
  vec2 middle = (floor(p / spacing) + 0.5) * spacing;
  ivec2 cell = held(ivec2(middle * steps.y), sizes.zw);
  vec2 w = vec2(at(across, cell), at(up, cell));
#ifdef FACES
  w = 0.5 * (w + vec2(at(across, held(cell - ivec2(1, 0), sizes.zw)), at(up, held(cell - ivec2(0, 1), sizes.zw))));
#endif
  float speed = length(w), part = speed / max(max(scalar.x, scalar.y), 1e-30);
  if (!(part > 1e-3))
    return 0.;
  vec2 along = w / speed, q = p + 0.5 - middle;
  float reach = 0.47 * spacing * min(sqrt(part), 1.), head = min(0.36 * spacing, 1.2 * reach);
  float x = dot(q, along), y = abs(dot(q, vec2(-along.y, along.x)));
  float shaft = max(y - 0.4, max(-reach - x, x - reach + head)), tip = max(y - 0.42 * (reach - x), reach - head - x);
  return 0.85 * clamp(0.5 - min(shaft, tip), 0., 1.);
}
#endif

#ifdef STREAMS
// psi between the cells' upper right corners, where it is; in numbers of lines.
float lines(vec2 p) {
  vec2 place = (p + 0.5) * steps.y - 1.;
  return dot(weights(place), around(psi, place, sizes.zw)) / max(spacing * scalar.x, 1e-30);
}
// A line one pixel wide; fainter where lines lie closer than four pixels.
float stream(vec2 p) {
  float here = lines(p), rise = length(vec2(lines(p + vec2(1., 0.)), lines(p + vec2(0., 1.))) - here);
  float away = abs(fract(here) - 0.5); // a line is in the middle between whole numbers
  return rise > 1e-6 ? 0.75 * clamp(1.1 - away / rise, 0., 1.) * clamp(2. - 4. * rise, 0., 1.) : 0.;
}
#endif

float pixel(vec2 p) {
  float value = valueHere(p);
  vec3 c = colourOf(value);
#ifdef LINES
  if (between(value) != between(valueAt(p + vec2(1., 0.))) || between(value) != between(valueAt(p + vec2(0., 1.))))
    c *= 0.45;
#endif
#ifdef LIT
  c = min(c * light(p), 255.);
#endif
#ifdef TINTED
  vec2 cell = (p + 0.5) * steps.y - 0.5;
  c = mix(c, vec3(90.), 0.4 * dot(weights(cell), around(tint, cell, sizes.zw))); // darker, but seen on black too
#endif
#ifdef ARROWS
  c = inked(c, arrow(p));
#endif
#ifdef STREAMS
  c = inked(c, stream(p));
#endif
#ifdef STONES
  c = mix(stone, c, openAt((p + 0.5) * steps.y - 0.5));
#endif
  return dot(floor(c + 0.5), vec3(1., 256., 65536.));
}

vec4 kernel() {
  vec2 p = vec2(4., 1.) * floor(gl_FragCoord.xy);
#ifdef MAGNIFIED
  value_window = windowAt(values, p, steps.x, sizes.xy);
  solid_window = windowAt(solid, p, steps.y, sizes.zw);
#endif
  return vec4(pixel(p), pixel(p + vec2(1., 0.)), pixel(p + vec2(2., 0.)), pixel(p + vec2(3., 0.)));
}
