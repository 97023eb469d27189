// The layout of a vector: rows of extent.x elements, four to a texel; row extent.y is the last and holds extent.z of them.
// Lanes beyond are padding and always hold zero. FULL is defined where a vector is known to have none (txFullDefine).
uniform vec3 extent;

// For the four lanes of this texel: does it hold an element? In multivectors (GROUPS) they are element p.x of four vectors.
bvec4 inside() {
  vec2 p = floor(gl_FragCoord.xy);
  float count = p.y == extent.y ? extent.z : extent.x;
#ifdef GROUPS
  return bvec4(p.x < count);
#else
  return lessThan(4. * p.x + vec4(0., 1., 2., 3.), vec4(count));
#endif
}

#ifdef FULL
vec4 masked(vec4 v) { return v; }
#else
vec4 masked(vec4 v) { return mix(vec4(0.), v, inside()); }
#endif
