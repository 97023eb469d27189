// d <- the derivatives of x^2 + 3 x y + 2 y^2 at the fragment's place, each of which differs from that in the other row or column of
// its block.
out vec4 d;

void main() {
  vec2 p = floor(gl_FragCoord.xy);
  float v = p.x * p.x + 3. * p.x * p.y + 2. * p.y * p.y;
  d = vec4(dFdx(v), dFdy(v), 0., 0.);
}
