// A panel: up to 32 columns of a matrix while they are reflected. A row of it is a texel in each of eight layers, its groups: columns 4g .. 4g + 3
// in group g. Row i is at texel (i % 128, i / 128). In row `height` of texels stand partial sums for the next reflection, of column k:
// at x, over the rows i > k with i % strips = x, those of a_ik a_ij for all columns j.
// A reflection I - tau v v^T, v_k = 1, leaves v below row k of its column, and beta in row k.
uniform ivec4 shape; // rows, height, strips, k: the reflection of this pass (load: -1)

ivec2 placeOf(int row) { return ivec2(row & 127, row >> 7); }
