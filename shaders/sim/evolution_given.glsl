// What rates, pictures and edges of a clEvolution are given besides fields: parameters, and numbers made of all cells.
uniform vec4 parameter_0, parameter_1, parameter_2;
#define parameter(k) ((k) < 4 ? parameter_0[(k) & 3] : (k) < 8 ? parameter_1[(k) & 3] : parameter_2[(k) & 3])
#define total(k) scalar[k]
#ifndef CELLS
#define CELLS (grid.x * grid.y)
#endif
