// Item k of a table: a texture whose rows hold 2^shift items.
#define item(t, k, shift) texelFetch(t, ivec2((k) & ((1 << (shift)) - 1), (k) >> (shift)), 0)
