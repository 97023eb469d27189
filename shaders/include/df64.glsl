// Double-float numbers ("df64"): hi + lo, two floats of which |lo| <= ulp(hi) / 2. About 48 bits, the range of a float.
// T. J. Dekker, A floating-point technique for extending the available precision, 1971; M. Joldes, J.-M. Muller, V. Popescu, Tight and
// rigorous error bounds for basic building blocks of double-word arithmetic, 2017, whose bounds stand beside the operations, relative,
// with u = 2^-24. They hold between about 2^-100 and 2^126; below, what a float cannot hold of lo is lost.
//
// A compiler that reorders sums removes what this is made of. A guard prevents that, the least expensive one that holds on the device
// (txDoubleFloatDefine, src/gl/probe_double.c):
//   (none)   outputs that depend on such sums are `invariant`: EVERY SHADER THAT INCLUDES THIS DECLARES ITS OUTPUTS SO
//   PRECISE  intermediate results are `precise`, too
//   BITS     no compiler can know an intermediate result: it is the exclusive or of its bits and of a uniform, which is zero
// FUSED: fma rounds once, as was measured.
//
// `pair` is one such number, `pairs` four. None of the operations looks for Inf and NaN: lo becomes NaN with them, and what a
// shader writes goes through settled().
struct pair {
  float hi, lo;
};
struct pairs {
  vec4 hi, lo;
};

// The upper half of a float's digits: products of halves are exact. (By its bits, which no compiler takes for a sum, without overflow.)
#define upperHalf(a) uintBitsToFloat(floatBitsToUint(a) & 0xfffff000u)

#ifdef PRECISE
#define EXACT precise
#else
#define EXACT
#endif
#ifdef BITS
uniform int txZero;
#define kept(a) intBitsToFloat(floatBitsToInt(a) ^ txZero)
#else
#define kept(a) (a)
#endif

#ifdef FUSED
#define PRODUCT_ERROR(T) EXACT T e = fma(a, b, -p);
#else
#define PRODUCT_ERROR(T)                                                                                               \
  T ah = upperHalf(a), bh = upperHalf(b);                                                                              \
  EXACT T al = a - ah, bl = b - bh, e = al * bl - (((p - ah * bh) - al * bh) - ah * bl);
#endif

#define DOUBLE_FLOAT(T, PAIR)                                                                                          \
  /* a + b and its rounding error */                                                                                   \
  PAIR twoSum(T a, T b) {                                                                                              \
    EXACT T s = kept(a + b), t = kept(s - a), e = (a - (s - t)) + (b - t);                                             \
    return PAIR(s, e);                                                                                                 \
  }                                                                                                                    \
  /* the same where |a| >= |b| or a is 0 */                                                                            \
  PAIR quickTwoSum(T a, T b) {                                                                                         \
    EXACT T s = kept(a + b), e = b - (s - a);                                                                          \
    return PAIR(s, e);                                                                                                 \
  }                                                                                                                    \
  /* a b and its rounding error */                                                                                     \
  PAIR twoProduct(T a, T b) {                                                                                          \
    EXACT T p = kept(a * b);                                                                                           \
    PRODUCT_ERROR(T)                                                                                                   \
    return PAIR(p, e);                                                                                                 \
  }                                                                                                                    \
  PAIR negative(PAIR a) { return PAIR(-a.hi, -a.lo); }                                                                 \
  /* 3 u^2 */                                                                                                          \
  PAIR plus(PAIR a, PAIR b) {                                                                                          \
    PAIR s = twoSum(a.hi, b.hi), t = twoSum(a.lo, b.lo);                                                               \
    s = quickTwoSum(s.hi, s.lo + t.hi);                                                                                \
    return quickTwoSum(s.hi, s.lo + t.lo);                                                                             \
  }                                                                                                                    \
  PAIR minus(PAIR a, PAIR b) { return plus(a, negative(b)); }                                                          \
  /* 2 u^2 */                                                                                                          \
  PAIR plus(PAIR a, T b) {                                                                                             \
    PAIR s = twoSum(a.hi, b);                                                                                          \
    return quickTwoSum(s.hi, a.lo + s.lo);                                                                             \
  }                                                                                                                    \
  /* 3 u^2 */                                                                                                          \
  PAIR times(PAIR a, T b) {                                                                                            \
    PAIR p = twoProduct(a.hi, b);                                                                                      \
    return quickTwoSum(p.hi, p.lo + a.lo * b);                                                                         \
  }                                                                                                                    \
  /* 7 u^2 */                                                                                                          \
  PAIR times(PAIR a, PAIR b) {                                                                                         \
    PAIR p = twoProduct(a.hi, b.hi);                                                                                   \
    return quickTwoSum(p.hi, p.lo + (a.hi * b.lo + a.lo * b.hi));                                                      \
  }                                                                                                                    \
  /* 15 u^2 where the device divides within an ulp; u^2 more with each further one */                                  \
  PAIR over(PAIR a, PAIR b) {                                                                                          \
    T q = a.hi / b.hi;                                                                                                 \
    PAIR r = minus(a, times(b, q));                                                                                    \
    return quickTwoSum(q, r.hi / b.hi);                                                                                \
  }                                                                                                                    \
  /* Compensated sums (T. Ogita, S. Rump, S. Oishi: Accurate sum and dot product, 2005): sum <- sum + p.hi + p.lo. sum.hi is what single  \
   * precision would add up, and sum.lo all that it has lost; quickTwoSum makes a pair of them at the end. */                             \
  void accumulate(inout PAIR sum, PAIR p) {                                                                            \
    PAIR s = twoSum(sum.hi, p.hi);                                                                                     \
    sum = PAIR(s.hi, sum.lo + (s.lo + p.lo));                                                                          \
  }                                                                                                                    \
  /* sum <- sum + a x */                                                                                               \
  void accumulate(inout PAIR sum, T a, PAIR x) {                                                                       \
    PAIR p = twoProduct(a, x.hi);                                                                                      \
    accumulate(sum, PAIR(p.hi, p.lo + a * x.lo));                                                                      \
  }                                                                                                                    \
  void accumulate(inout PAIR sum, PAIR a, PAIR x) {                                                                    \
    PAIR p = twoProduct(a.hi, x.hi);                                                                                   \
    accumulate(sum, PAIR(p.hi, p.lo + (a.hi * x.lo + a.lo * x.hi)));                                                   \
  }

DOUBLE_FLOAT(float, pair)
DOUBLE_FLOAT(vec4, pairs)

bool isFinite(float v) { return (floatBitsToUint(v) & 0x7f800000u) != 0x7f800000u; }

// sqrt(a), 0 for 0: 10 u^2 where the device's root is within an ulp
pair root(pair a) {
  float s = sqrt(a.hi);
  if (s == 0. || !isFinite(s))
    return pair(s, 0.);
  pair r = minus(a, twoProduct(s, s));
  return quickTwoSum(s, r.hi / (2. * s));
}

// -1, 0, 1: a is smaller, as large, larger. (NaN is as large as anything.)
int compared(pair a, pair b) {
  float h = a.hi == b.hi ? a.lo - b.lo : a.hi - b.hi;
  return int(h > 0.) - int(h < 0.);
}

// What a shader writes for a: where `single`, the same in single precision, is Inf or NaN, that and no lo.
pair settled(pair a, float single) {
  if (isFinite(single))
    return a;
  return pair(single, 0.);
}
pairs settled(pairs a, vec4 single) {
  bvec4 odd = equal(floatBitsToUint(single) & 0x7f800000u, uvec4(0x7f800000u));
  return pairs(mix(a.hi, single, odd), mix(a.lo, vec4(0.), odd));
}
// ... for a compensated sum.
pair settled(pair sum) { return settled(quickTwoSum(sum.hi, sum.lo), sum.hi); }
pairs settled(pairs sum) { return settled(quickTwoSum(sum.hi, sum.lo), sum.hi); }

// total + a compensated sum: so groups of terms are joined.
pair joined(pair total, pair sum) {
  return settled(plus(total, quickTwoSum(sum.hi, sum.lo)), total.hi + sum.hi);
}
pairs joined(pairs total, pairs sum) {
  return settled(plus(total, quickTwoSum(sum.hi, sum.lo)), total.hi + sum.hi);
}
