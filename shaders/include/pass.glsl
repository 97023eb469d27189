// Fragment side of a rectangle pass.
noperspective in vec2 uv; // this texel's centre, 0..1 over the target
flat in vec4 scalar;      // the pass's clFloats

// The texel of s at this place; s has the target's shape.
vec4 texel(sampler2D s) { return textureLod(s, uv, 0.); }

// a / b, but 0 where b = 0
float divZ(float a, float b) { return b == 0. ? 0. : a / b; }
vec4 divZ(vec4 a, vec4 b) { return mix(a / b, vec4(0.), equal(b, vec4(0.))); }
