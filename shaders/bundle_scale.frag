// y <- ca SUM + cb b
#include "include/bundle.glsl"

void main() { finish(SUM); }
