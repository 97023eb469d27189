// Stones in a picture. A field `solid` holds 1/2 - d / 4 for the distance d of a cell's middle from where stones end, in cells, at least 0 and
// at most 1 (demoPaintStone).
const vec3 stone = vec3(88., 92., 104.);
// How much of a pixel stones cover that is so many cells wide, in whose middle `solid` is s.
float stoneIn(float s, float wide) { return clamp(0.5 + 4. * (s - 0.5) / max(wide, 0.15), 0., 1.); }
