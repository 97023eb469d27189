// Sums over ranges of items, for the levels of a csr product; NUMBER and NUMBER term(int k) say of what. Groups of 16 keep a
// sum pairwise in character.
uniform isampler2D start;
uniform vec2 start_texel;
uniform int start_shift;

NUMBER rangeSum(int from, int to) {
  NUMBER total = NUMBER(0.);
  for (int first = from; first < to; first += 16) {
    int last = min(first + 16, to);
    NUMBER part = term(first);
    for (int k = first + 1; k < last; k++)
      part += term(k);
    total += part;
  }
  return total;
}

int startOf(int i) { return item(start, start_texel, i, start_shift).r; }
