// y <- ca SUM + cb b
#include "matrix/multivector.glsl"

void main() { finish(SUM); }
