// y <- ca SUM + cb b
#include "matrix/bundle.glsl"

void main() { finish(SUM); }
