// The three diagonals and the right-hand side: four grids. Instead of a diagonal there may be one number (SUB_VALUE, MAIN_VALUE,
// SUPER_VALUE). Each is four elements of a texel; coordinates as for the right-hand side.
#ifdef SUB_VALUE
uniform float sub_value;
#define SUB(p) vec4(sub_value)
#else
uniform sampler2D sub;
#define SUB(p) textureLod(sub, p, 0.)
#endif
#ifdef MAIN_VALUE
uniform float main_value;
#define MAIN(p) vec4(main_value)
#else
uniform sampler2D diagonal;
#define MAIN(p) textureLod(diagonal, p, 0.)
#endif
#ifdef SUPER_VALUE
uniform float super_value;
#define SUPER(p) vec4(super_value)
#else
uniform sampler2D super;
#define SUPER(p) textureLod(super, p, 0.)
#endif
uniform sampler2D rhs;
uniform vec2 rhs_texel;
#define RHS(p) textureLod(rhs, p, 0.)
