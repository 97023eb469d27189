// Elementary functions that agree with correctly rounded ones within a few units in the last place on any device: GLSL leaves the
// accuracy of sin, exp, atan open, and a / b flushes 1 / b to zero for |b| > 2^126. Integers are exact everywhere, so that arguments
// are reduced and quotients are rounded with them. Polynomials are those of Cephes (Moshier 1989) where nothing else is said.
// HIDDEN_ZERO must be defined: 0u, but not known to the compiler, which may not join what is kept apart by it.

// Not to be fused with what follows.
float rounded(float x) { return uintBitsToFloat(floatBitsToUint(x) ^ HIDDEN_ZERO); }

// 2^e, -126 <= e <= 127
float power2(int e) { return uintBitsToFloat(uint(e + 127) << 23); }

// x 2^e
float scaled(float x, int e) {
  int k = clamp(e, -250, 250), half_ = k / 2;
  return x * power2(half_) * power2(k - half_);
}

float withSign(float x, float s) {
  return uintBitsToFloat((floatBitsToUint(x) & 0x7fffffffu) | (floatBitsToUint(s) & 0x80000000u));
}

float notANumber() { return uintBitsToFloat(0x7fc00000u); }
bool isNegative(float x) { return floatBitsToUint(x) >> 31 == 1u; }
bool isNaN(float x) { return (floatBitsToUint(x) & 0x7fffffffu) > 0x7f800000u; }
bool isInfinite(float x) { return (floatBitsToUint(x) & 0x7fffffffu) == 0x7f800000u; }

float roundAway(float x) { return withSign(floor(abs(x) + .5), x); }
float chosen(float condition, float a, float b) {
  if (condition != 0.)
    return a;
  return b;
}

// a / b, correctly rounded where it is a normal number: the mantissas' quotient, estimated, then corrected by its exact remainder.
float divide(float a, float b) {
  uint ua = floatBitsToUint(a), ub = floatBitsToUint(b), sign = (ua ^ ub) & 0x80000000u;
  int ea = int(ua >> 23 & 255u), eb = int(ub >> 23 & 255u);
  if (ea == 255 && eb < 255)
    return uintBitsToFloat(ua ^ (ub & 0x80000000u));
  if (ea == 0 || eb == 0 || ea == 255 || eb == 255)
    return a / b;
  uint ma = (ua & 0x7fffffu) | 0x800000u, mb = (ub & 0x7fffffu) | 0x800000u;
  int shift = 24;
  if (ma < mb)
    shift = 25;
  uint q = uint(float(ma) / float(mb) * power2(shift));
  int r = int((ma << uint(shift)) - q * mb); // modulo 2^32, which it fits into
  int more = int(floor(float(r) / float(mb)));
  q += uint(more);
  r -= more * int(mb);
  if (r < 0) {
    q--;
    r += int(mb);
  }
  if (r >= int(mb)) {
    q++;
    r -= int(mb);
  }
  uint h = q >> 1u;
  if ((q & 1u) == 1u && (r != 0 || (h & 1u) == 1u))
    h++;
  float v = scaled(float(h), ea - eb + 1 - shift);
  return uintBitsToFloat(floatBitsToUint(v) | sign);
}

// x - y floor(x / y) and x - y trunc(x / y) as Octave rounds them.
float nearby(float x) { return floor(x + .5); }
float remainderBy(float x, float y, bool down) {
  if (y == 0. && down)
    return x;
  if (y == 0.)
    return notANumber();
  float q = divide(x, y), n = trunc(q), r = 0.;
  if (down)
    n = floor(q);
  int e = int(floatBitsToUint(x) >> 23 & 255u) - int(floatBitsToUint(y) >> 23 & 255u);
  if (down && q == 0. && x != 0. && isNegative(x) != isNegative(y) && e >= -149 && !isInfinite(y))
    n = -1.; // of a subnormal quotient
  if (nearby(y) == y || !(abs(q - nearby(q)) < 1.1920929e-7 * abs(nearby(q))))
    r = x - rounded(y * n);
  if (x == y)
    return r;
  if (down)
    return withSign(r, y);
  return withSign(r, x);
}
float modulo(float x, float y) { return remainderBy(x, y, true); }
float remainder(float x, float y) { return remainderBy(x, y, false); }

float hypotenuse(float x, float y) {
  float a = max(abs(x), abs(y)), b = min(abs(x), abs(y));
  if (isInfinite(x) || isInfinite(y))
    return uintBitsToFloat(0x7f800000u);
  if (isNaN(x) || isNaN(y))
    return x + y;
  int e = clamp(int(floatBitsToUint(a) >> 23) - 127, -126, 126);
  a *= power2(-e);
  b *= power2(-e);
  return sqrt(a * a + b * b) * power2(e);
}

// ---- Circular functions --------------------------------------------------------------------------------------------------------

// a b of 32 bits each: the upper and the lower half.
uvec2 product(uint a, uint b) {
  uint al = a & 65535u, ah = a >> 16u, bl = b & 65535u, bh = b >> 16u;
  uint low = al * bl, mid = ah * bl + (low >> 16u), other = al * bh + (mid & 65535u);
  return uvec2(ah * bh + (mid >> 16u) + (other >> 16u), a * b);
}

// Bits of 2 / pi.
uint twoOverPi(int i) {
  if (i <= 0)
    return 0u;
  if (i == 1)
    return 0x28be60dbu;
  if (i == 2)
    return 0x9391054au;
  if (i == 3)
    return 0x7f09d5f4u;
  if (i == 4)
    return 0x7d4d3770u;
  if (i == 5)
    return 0x36d8a566u;
  return 0x4f10e410u;
}

// x minus the nearest multiple of pi / 2, whose number modulo 4 is in `quadrant`: a product with 2 / pi in fixed point, of which only
// the bits that matter are formed (Payne and Hanek 1983).
float reduced(float x, out int quadrant) {
  float a = abs(x);
  quadrant = 0;
  if (a <= .78539816)
    return x;
  uint u = floatBitsToUint(a);
  int e = int(u >> 23) - 126, i = e >> 5;
  uint m = (u << 8u) | 0x80000000u, s = uint(e & 31);
  uint hi = twoOverPi(i), mid = twoOverPi(i + 1), lo = twoOverPi(i + 2), next = twoOverPi(i + 3);
  if (s > 0u) {
    hi = (hi << s) | (mid >> (32u - s));
    mid = (mid << s) | (lo >> (32u - s));
    lo = (lo << s) | (next >> (32u - s));
  }
  uvec2 p = product(m, mid);
  uint carry = product(m, lo).x, low = p.y + carry, high = p.x + m * hi;
  if (low < carry)
    high++;
  // high, low: x 2 / pi with two bits before the point
  quadrant = int(high >> 30u);
  uint f = high & 0x3fffffffu;
  bool above = (f & 0x20000000u) != 0u;
  if (above) { // the next multiple is nearer: 1 - fraction
    quadrant++;
    f = (0x40000000u - f) - uint(low != 0u);
    low = 0u - low;
  }
  float r = (float(f) * 9.31322574615e-10 + float(low) * 2.16840434497e-19) * 1.5707963267949;
  if (above)
    r = -r;
  quadrant &= 3;
  if (x < 0.) {
    r = -r;
    quadrant = -quadrant & 3;
  }
  return r;
}

float sineNear(float r) {
  float z = r * r;
  return r + r * z * ((-1.9515295891e-4 * z + 8.3321608736e-3) * z - 1.6666654611e-1);
}

float cosineNear(float r) {
  float z = r * r;
  return 1. - .5 * z + z * z * ((2.443315711809948e-5 * z - 1.388731625493765e-3) * z + 4.166664568298827e-2);
}

// sin(x + pi / 2 turns)
float sineOf(float x, int turns) {
  int quadrant;
  if (isInfinite(x) || isNaN(x))
    return notANumber();
  float r = reduced(x, quadrant), y;
  quadrant = (quadrant + turns) & 3;
  if ((quadrant & 1) == 0)
    y = sineNear(r);
  else
    y = cosineNear(r);
  if (quadrant >= 2)
    return -y;
  return y;
}
float sine(float x) { return sineOf(x, 0); }
float cosine(float x) { return sineOf(x, 1); }
float tangent(float x) { return divide(sineOf(x, 0), sineOf(x, 1)); }

// The angle of (x, y).
float angle(float y, float x) {
  float a = abs(x), b = abs(y), t, base = 0.;
  if (isNaN(x) || isNaN(y))
    return x + y;
  if (a == b)
    t = float(a > 0.);
  else
    t = divide(min(a, b), max(a, b));
  float s = t;
  if (t > .41421356) { // atan t = pi / 4 + atan ((t - 1) / (t + 1))
    base = .7853981634;
    s = divide(t - 1., t + 1.);
  }
  float z = s * s;
  float r = base + (s + s * z * (((8.05374449538e-2 * z - 1.38776856032e-1) * z + 1.99777106478e-1) * z - 3.33329491539e-1));
  if (b > a)
    r = (1.57079637 - r) - 4.37113883e-8;
  if (isNegative(x))
    r = (3.14159274 - r) - 8.74227766e-8;
  return withSign(r, y);
}

// ---- Exponentials --------------------------------------------------------------------------------------------------------------

// e^x - 1 for |x| <= log(2) / 2
float expNear(float x) {
  float p = ((((1.9875691500e-4 * x + 1.3981999507e-3) * x + 8.3334519073e-3) * x + 4.1665795894e-2) * x + 1.6666665459e-1) * x + .5;
  return x + x * x * p;
}

float exponential(float x) {
  if (isNaN(x))
    return x;
  if (x > 89.)
    return uintBitsToFloat(0x7f800000u);
  if (x < -104.)
    return 0.;
  float n = floor(1.44269504 * x + .5);
  float r = rounded(x - n * .693359375) + n * 2.12194440e-4;
  return scaled(1. + expNear(r), int(n));
}

float exponential1(float x) {
  if (abs(x) <= .34657359)
    return expNear(x);
  return exponential(x) - 1.;
}

// log(1 + x) for sqrt(1/2) <= 1 + x <= sqrt(2), without its first term x.
float logNear(float x) {
  float z = x * x;
  float p = (((((((7.0376836292e-2 * x - 1.1514610310e-1) * x + 1.1676998740e-1) * x - 1.2420140846e-1) * x + 1.4249322787e-1) * x -
               1.6668057665e-1) * x + 2.0000714765e-1) * x - 2.4999993993e-1) * x + 3.3333331174e-1;
  return p * x * z - .5 * z;
}

// x = (1 + f) 2^e; false where it has no logarithm but that of the limit, which is then f.
bool parted(float x, out float f, out int e) {
  e = 0;
  f = x;
  if (isNaN(x))
    return false;
  if (x < 0.)
    f = notANumber();
  if (x == 0.)
    f = uintBitsToFloat(0xff800000u);
  if (x <= 0. || isInfinite(x))
    return false;
  uint u = floatBitsToUint(x);
  e = int(u >> 23) - 127;
  float m = uintBitsToFloat((u & 0x7fffffu) | 0x3f800000u);
  if (e == -127) { // subnormal
    u = floatBitsToUint(float(u));
    e = int(u >> 23) - 276;
    m = uintBitsToFloat((u & 0x7fffffu) | 0x3f800000u);
  }
  if (m > 1.41421356) {
    m *= .5;
    e++;
  }
  f = m - 1.;
  return true;
}

float logarithm(float x) {
  float f;
  int e;
  if (!parted(x, f, e))
    return f;
  return (float(e) * -2.12194440e-4 + logNear(f)) + f + float(e) * .693359375;
}

float logarithm2(float x) {
  float f;
  int e;
  if (!parted(x, f, e))
    return f;
  float low = logNear(f);
  return low * 1.44269504 + f * .44269504 + f + float(e);
}

float logarithm10(float x) {
  float f;
  int e;
  if (!parted(x, f, e))
    return f;
  return (logNear(f) + f) * .434294482 + float(e) * 4.6050390e-6 + float(e) * .301025391;
}

float logarithm1(float x) {
  if (x > -.29289 && x < .41421)
    return x + logNear(x);
  return logarithm(1. + x);
}

// ---- Hyperbolic functions ------------------------------------------------------------------------------------------------------

float hyperbolicSine(float x) {
  float a = abs(x), m = exponential1(a);
  if (a > 9.) {
    float h = exponential(.5 * a);
    return withSign(.5 * h * h, x);
  }
  return withSign(.5 * (m + divide(m, m + 1.)), x);
}

float hyperbolicCosine(float x) {
  float h = exponential(.5 * abs(x));
  if (abs(x) > 9.)
    return .5 * h * h;
  h = exponential(abs(x));
  return .5 * h + divide(.5, h);
}

float hyperbolicTangent(float x) {
  if (abs(x) > 10.)
    return withSign(1., x);
  float m = exponential1(2. * abs(x));
  return withSign(divide(m, m + 2.), x);
}

float areaSine(float x) {
  float a = abs(x);
  if (isNaN(x) || isInfinite(x))
    return x;
  if (a > 4096.)
    return withSign(logarithm(a) + .693147181, x);
  return withSign(logarithm1(a + divide(a * a, 1. + sqrt(a * a + 1.))), x);
}

float areaCosine(float x) {
  float t = x - 1.;
  if (isNaN(x) || x < 1.)
    return notANumber();
  if (x > 4096.)
    return logarithm(x) + .693147181;
  return logarithm1(t + sqrt(t * (x + 1.)));
}

float areaTangent(float x) {
  float a = abs(x);
  if (!(a <= 1.))
    return notANumber();
  return withSign(.5 * logarithm1(divide(2. * a, 1. - a)), x);
}

// ---- Error and gamma functions: least squares fits at Chebyshev points ----------------------------------------------------------

// for |x| <= 1
float errorNear(float x) {
  float z = x * x;
  return x * (((((((-9.673591319e-06 * z + .000112682541) * z - .0008484396581) * z + .005221053415) * z - .02686543831) * z +
                .1128378262) * z - .3761263848) * z + 1.128379167);
}

// exp(-x^2) erfcx(x) for x >= 1/2; x^2 in two parts, the first of which is exact.
float errorFar(float x) {
  if (x > 10.1)
    return 0.;
  float t = divide(x - 2., x + 2.);
  float p = ((((((((.0001477044106 * t + 6.189627929e-05) * t - .0009722280464) * t - .0008522969237) * t + .006995866184) * t +
               .0037335147) * t - .07897847219) * t + .2416581675) * t - .4271858495) * t + .2553956765;
  float h = uintBitsToFloat(floatBitsToUint(x) & 0xfffff000u);
  return exponential(-h * h) * exponential(-(x - h) * (x + h)) * p;
}

float errorFunction(float x) {
  if (isNaN(x))
    return x;
  if (abs(x) <= 1.)
    return errorNear(x);
  return withSign(1. - errorFar(abs(x)), x);
}

float errorComplement(float x) {
  if (isNaN(x))
    return x;
  if (x >= .5)
    return errorFar(x);
  if (x >= -1.)
    return 1. - errorNear(x);
  return 2. - errorFar(-x);
}

// for 1 <= x <= 2
float gammaNear(float x) {
  float u = x - 1.5;
  return (((((((((.01634585786 * u - .02374981863) * u + .02438126141) * u - .03625772054) * u + .05880590468) * u - .07772028494) * u +
             .1446336499) * u - .1072858207) * u + .4148137082) * u + .03233828362) * u + .8862269246;
}

float gammaFunction(float x) {
  float infinite = uintBitsToFloat(0x7f800000u);
  if (isNaN(x) || x > 35.1)
    return x * infinite;
  if (x == 0.)
    return withSign(infinite, x);
  if (x < 0. && x == floor(x))
    return infinite;
  if (x < -42.)
    return 0.;
  float up = 1., down = 1.;
  while (x > 2.) {
    x -= 1.;
    up *= x;
  }
  while (x < 1.) {
    down *= x;
    x += 1.;
    if (abs(down) > 1e30)
      break;
  }
  if (x < 1.)
    return 0.;
  return divide(up * gammaNear(x), down);
}

// log |gamma(x)| for x > 0: Stirling's series above 8, else a fit on 1 <= x <= 3, whose zeros are factors, and the logarithm of what
// leads there.
float logGamma(float x) {
  bool far = x > 8.;
  float lead = x, u = x, r;
  if (isNaN(x) || x < 0.)
    return notANumber();
  if (x == 0. || isInfinite(x))
    return uintBitsToFloat(0x7f800000u);
  if (!far && x >= 1.) {
    lead = 1.;
    for (int k = 0; k < 5; k++)
      if (u > 3.) {
        u -= 1.;
        lead *= u;
      }
  }
  if (x < 1.)
    u += 1.;
  r = logarithm(lead);
  if (far) {
    float w = 1. / x;
    return ((x - .5) * (r - 1.) - .5) + .918938533 + w * (.0833333333 - w * w * (.00277777778 - w * w * 7.93650794e-4));
  }
  if (x < 1.)
    r = -r;
  float v = u - 2.;
  float p = ((((((((((-3.873420962e-05 * v + 7.822673522e-05) * v - 5.241944207e-05) * v + .0001304918972) * v - .0004255713697) * v +
                .0009444371662) * v - .002102061579) * v + .00499149942) * v - .01238497512) * v + .03296563668) * v - .1003172731) * v +
            .4227843257;
  return r + (u - 1.) * v * p;
}

// ---- Powers --------------------------------------------------------------------------------------------------------------------

float wholePower(float x, int n) {
  float p = 1., s = x;
  for (int m = abs(n); m > 0; m >>= 1) {
    if ((m & 1) == 1)
      p *= s;
    s *= s;
  }
  if (n < 0)
    return divide(1., p);
  return p;
}

// x^y for 0 < x < infinity and finite y: 2^(y e) (1 + f)^y, with y e in two exact parts.
float powerNear(float x, float y) {
  float f;
  int e;
  parted(x, f, e);
  float l = logNear(f) * 1.44269504 + f * .44269504 + f, whole = float(e);
  float yh = uintBitsToFloat(floatBitsToUint(y) & 0xffffe000u), yl = y - yh;
  float about = y * whole + y * l;
  if (about > 129.)
    return uintBitsToFloat(0x7f800000u);
  if (about < -150.)
    return 0.;
  float n = nearby(about);
  float r = ((rounded(yh * whole) - n) + yl * whole) + y * l;
  return scaled(1. + expNear(r * .693147181), int(n));
}

// x^y; NaN where that is not real.
float powerOf(float x, float y) {
  float a = abs(x), infinite = uintBitsToFloat(0x7f800000u), r;
  bool whole = y == floor(y), odd = whole && abs(y) < 16777216. && mod(abs(y), 2.) == 1.;
  if (y == 0. || x == 1.)
    return 1.;
  if (isNaN(x) || isNaN(y))
    return x + y;
  if (whole && abs(y) <= 32. && a < infinite && a > 0.)
    return wholePower(x, int(y));
  if (y == .5 && x >= 0.)
    return sqrt(x);
  if (x < 0. && !whole && !isInfinite(x) && !isInfinite(y))
    return notANumber();
  if (isInfinite(y)) {
    r = 0.;
    if (a == 1.)
      return 1.;
    if ((a > 1.) == (y > 0.))
      r = infinite;
    return r;
  }
  if (a == 0. || isInfinite(x)) {
    r = 0.;
    if ((a == 0.) == (y < 0.))
      r = infinite;
  } else
    r = powerNear(a, y);
  if (isNegative(x) && odd)
    return -r;
  return r;
}
