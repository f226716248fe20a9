#include "jpeg_constants.h"
#include "kernels.h"

#include <string.h>

// MARK: Inverse transforms, scalar

static inline uint8_t centered(int32_t sample) {
  return sample < -128 ? 0 : sample > 127 ? 255 : (uint8_t)(sample + 128);
}

// Returns the value of all samples of a block with only a DC coefficient, at 8 or 4 samples a side.
static inline uint8_t nuke_flat(int16_t coefficient, uint16_t step) {
  return centered(((int16_t)((uint32_t)(coefficient * step) << 2) + 16) >> 5);
}

// The same for 2 samples a side, whose first pass has 32 bits of precision.
static inline uint8_t nuke_flat2(int16_t coefficient, uint16_t step) {
  return centered((int32_t)(((uint32_t)(coefficient * step) << 17) + (1 << 19)) >> 20);
}

static inline int16_t saturated(int32_t x) { return x < -32768 ? -32768 : x > 32767 ? 32767 : (int16_t)x; }

// Shifts right by `bits`, with rounding.
static inline int16_t descaled(uint32_t sum, int bits) {
  return saturated((int32_t)(sum + (1u << (bits - 1))) >> bits);
}

static inline uint32_t madd(int16_t a, int factor_a, int16_t b, int factor_b) {
  return (uint32_t)(a * factor_a + b * factor_b);
}

// The 1-D transform of eight values at a distance of `step`, in place.
static void transform8(int16_t *v, size_t step, int bits) {
  const int16_t even = (int16_t)(v[0] + v[4 * step]), uneven = (int16_t)(v[0] - v[4 * step]);
  const int16_t v1 = v[step], v2 = v[2 * step], v3 = v[3 * step], v5 = v[5 * step], v6 = v[6 * step], v7 = v[7 * step];
  const int16_t z3 = (int16_t)(v7 + v3), z4 = (int16_t)(v5 + v1);
  const uint32_t a = (uint32_t)even << 13, b = (uint32_t)uneven << 13;
  const uint32_t c = madd(v2, F_0_541 + F_0_765, v6, F_0_541), d = madd(v2, F_0_541, v6, F_0_541 - F_1_847);
  const uint32_t e = madd(z3, F_1_175 - F_1_961, z4, F_1_175), f = madd(z3, F_1_175, z4, F_1_175 - F_0_390);
  const uint32_t t0 = madd(v7, F_0_298 - F_0_899, v1, -F_0_899) + e;
  const uint32_t t1 = madd(v5, F_2_053 - F_2_562, v3, -F_2_562) + f;
  const uint32_t t2 = madd(v5, -F_2_562, v3, F_3_072 - F_2_562) + e;
  const uint32_t t3 = madd(v7, -F_0_899, v1, F_1_501 - F_0_899) + f;
  v[0] = descaled(a + c + t3, bits);
  v[7 * step] = descaled(a + c - t3, bits);
  v[step] = descaled(b + d + t2, bits);
  v[6 * step] = descaled(b + d - t2, bits);
  v[2 * step] = descaled(b - d + t1, bits);
  v[5 * step] = descaled(b - d - t1, bits);
  v[3 * step] = descaled(a - c + t0, bits);
  v[4 * step] = descaled(a - c - t0, bits);
}

// For the transforms with vector instructions: a mask of all but the first coefficient, and the factors of the columns
// but the first in the transform to 2 samples a side.
#if NUKE_X86 || NUKE_NEON
static const int16_t all_but_first[8] = {0, -1, -1, -1, -1, -1, -1, -1};
static const int16_t factors_of_odd_columns[8] = {0, F_3_624, 0, -F_1_272, 0, F_0_850, 0, -F_0_720};
#endif

// Dequantizes a block. Returns whether any of the rows in `mask`, except for the first, has a nonzero coefficient.
static bool multiply(int16_t *v, const int16_t *block, const uint16_t *steps, unsigned mask) {
  bool any = false;
  for (int i = 0; i < 64; i++) {
    v[i] = (int16_t)(block[i] * steps[i]);
    if (i >= 8 && mask >> i / 8 & 1 && block[i]) any = true;
  }
  return any;
}

static void nuke_jpeg_inverse_dct8_scalar(
  uint8_t *samples, size_t stride, const int16_t *blocks, size_t count, const uint16_t *steps) {
  for (; count > 0; count--, blocks += 64, samples += 8) {
    int16_t v[64];
    if (multiply(v, blocks, steps, 0xFF)) {
      for (int x = 0; x < 8; x++) transform8(v + x, 8, 11);
    } else {
      for (int i = 0; i < 64; i++) v[i] = (int16_t)((uint32_t)v[i & 7] << (i < 8 ? 2 : 0));
    }
    for (int y = 0; y < 8; y++) {
      transform8(v + y * 8, 1, 18);
      for (int x = 0; x < 8; x++) samples[(size_t)y * stride + (size_t)x] = centered(v[y * 8 + x]);
    }
  }
}

// The 1-D transform of eight inputs to four outputs. Input 4 has no effect.
static void transform4(int16_t *out, size_t out_step, const int16_t *v, size_t step, int bits) {
  const int16_t v1 = v[step], v3 = v[3 * step], v5 = v[5 * step], v7 = v[7 * step];
  const uint32_t a = (uint32_t)v[0] << 14, b = madd(v[2 * step], F_1_847, v[6 * step], -F_0_765);
  const uint32_t t0 = madd(v1, F_1_061, v3, -F_2_172) + madd(v5, F_1_451, v7, -F_0_211);
  const uint32_t t2 = madd(v1, F_2_562, v3, F_0_899) + madd(v5, -F_0_601, v7, -F_0_509);
  out[0] = descaled(a + b + t2, bits);
  out[3 * out_step] = descaled(a + b - t2, bits);
  out[out_step] = descaled(a - b + t0, bits);
  out[2 * out_step] = descaled(a - b - t0, bits);
}

static void nuke_jpeg_inverse_dct4_scalar(
  uint8_t *samples, size_t stride, const int16_t *blocks, size_t count, const uint16_t *steps) {
  for (; count > 0; count--, blocks += 64, samples += 4) {
    int16_t v[64], rows[32], row[4];
    if (multiply(v, blocks, steps, 0xEF)) {
      for (int x = 0; x < 8; x++) transform4(rows + x, 8, v + x, 8, 12);
    } else {
      for (int i = 0; i < 32; i++) rows[i] = (int16_t)((uint32_t)v[i & 7] << 2);
    }
    for (int y = 0; y < 4; y++) {
      transform4(row, 1, rows + y * 8, 1, 19);
      for (int x = 0; x < 4; x++) samples[(size_t)y * stride + (size_t)x] = centered(row[x]);
    }
  }
}

static void nuke_jpeg_inverse_dct2_scalar(
  uint8_t *samples, size_t stride, const int16_t *blocks, size_t count, const uint16_t *steps) {
  for (; count > 0; count--, blocks += 64, samples += 2) {
    int16_t v[64];
    int32_t rows[2][8];
    multiply(v, blocks, steps, 0);
    for (int x = 0; x < 8; x++) {
      const uint32_t even = (uint32_t)v[x] << 15;
      const uint32_t odd = madd(v[8 + x], F_3_624, v[24 + x], -F_1_272) + madd(v[40 + x], F_0_850, v[56 + x], -F_0_720);
      rows[0][x] = (int32_t)(even + odd + (1 << 12)) >> 13;
      rows[1][x] = (int32_t)(even - odd + (1 << 12)) >> 13;
    }
    for (int y = 0; y < 2; y++) {
      const int32_t *r = rows[y];
      const uint32_t even = (uint32_t)r[0] << 15;
      const uint32_t odd = madd(saturated(r[1]), F_3_624, saturated(r[3]), -F_1_272) +
                           madd(saturated(r[5]), F_0_850, saturated(r[7]), -F_0_720);
      samples[(size_t)y * stride] = centered(descaled(even + odd, 20));
      samples[(size_t)y * stride + 1] = centered(descaled(even - odd, 20));
    }
  }
}

// MARK: Rows, vectorized by the compiler

#define BODY static inline __attribute__((always_inline)) void

// Values beyond 10 bits wrap around, as in libjpeg's range limit table.
BODY inverse_dct1_body(uint8_t *d, const int16_t *s, size_t count, uint16_t step) {
  for (size_t i = 0; i < count; i++) {
    const int32_t x = (s[i] * step + 4) >> 3;
    const int32_t wrapped = (int32_t)((uint32_t)x << 22) >> 22;
    const int32_t sample = wrapped + 128;
    d[i] = (uint8_t)(sample < 0 ? 0 : sample > 255 ? 255 : sample);
  }
}

// Two adjacent samples.
static inline __attribute__((always_inline)) void put_pair(uint8_t *d, unsigned left, unsigned right) {
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  const uint16_t pair = (uint16_t)(left | right << 8);
#else
  const uint16_t pair = (uint16_t)(left << 8 | right);
#endif
  memcpy(d, &pair, sizeof pair);
}

BODY double_across_body(uint8_t *d, const uint8_t *s, size_t count) {
  const size_t last = count - 1;
  put_pair(d, s[0], (3u * s[0] + s[1] + 2) >> 2);
  for (size_t i = 1; i < last; i++) {
    const uint16_t here = (uint16_t)(3 * s[i]);
    const uint16_t left = (uint16_t)(here + s[i - 1] + 1) >> 2, right = (uint16_t)(here + s[i + 1] + 2) >> 2;
    put_pair(d + i * 2, left, right);
  }
  put_pair(d + last * 2, (3u * s[last] + s[last - 1] + 1) >> 2, s[last]);
}

BODY double_down_body(uint8_t *d, const uint8_t *near, const uint8_t *far, size_t count, unsigned bias) {
  const uint16_t added = (uint16_t)bias;
  for (size_t i = 0; i < count; i++) d[i] = (uint8_t)((uint16_t)(3 * near[i] + far[i] + added) >> 2);
}

// The vertical sums are computed once for each chunk. A chunk begins with the last sum of the one before.
BODY double_both_body(uint8_t *d, const uint8_t *near, const uint8_t *far, size_t count) {
  enum { piece = 512 };
  uint16_t sums[piece + 2];
  const unsigned first = 3u * near[0] + far[0];
  put_pair(d, (4 * first + 8) >> 4, (3 * first + 3u * near[1] + far[1] + 7) >> 4);
  const size_t last = count - 1;
  size_t start = 1;
  for (; start < last; start += piece) {
    const size_t length = last - start < piece ? last - start : piece;
    sums[0] = (uint16_t)(3 * near[start - 1] + far[start - 1]);
    for (size_t i = 0; i <= length; i++) sums[i + 1] = (uint16_t)(3 * near[start + i] + far[start + i]);
    for (size_t i = 1; i <= length; i++) {
      const uint16_t here = (uint16_t)(3 * sums[i]);
      const uint16_t left = (uint16_t)(here + sums[i - 1] + 8) >> 4, right = (uint16_t)(here + sums[i + 1] + 7) >> 4;
      put_pair(d + (start + i - 1) * 2, left, right);
    }
  }
  const unsigned before = 3u * near[last - 1] + far[last - 1], here = 3u * near[last] + far[last];
  put_pair(d + last * 2, (3 * here + before + 8) >> 4, (4 * here + 7) >> 4);
}

static inline uint8_t limited(int x) { return x < 0 ? 0 : x > 255 ? 255 : (uint8_t)x; }

// 1.402, 0.34414, 0.71414 and 1.772, 1.0 being 1 << 16.
static void nuke_jpeg_ycc_to_rgba_scalar(
  uint8_t *d, const uint8_t *y, const uint8_t *cb, const uint8_t *cr, size_t count) {
  for (size_t i = 0; i < count; i++, d += 4) {
    const int b = cb[i] - 128, r = cr[i] - 128;
    d[0] = limited(y[i] + ((91881 * r + 32768) >> 16));
    d[1] = limited(y[i] + ((-22554 * b - 46802 * r + 32768) >> 16));
    d[2] = limited(y[i] + ((116130 * b + 32768) >> 16));
    d[3] = 255;
  }
}

#define ROWS(variant, target)                                                                                     \
  target static void inverse_dct1_##variant(uint8_t *d, const int16_t *s, size_t count, uint16_t step) {          \
    inverse_dct1_body(d, s, count, step);                                                                         \
  }                                                                                                               \
  target static void double_across_##variant(uint8_t *d, const uint8_t *s, size_t count) {                        \
    double_across_body(d, s, count);                                                                              \
  }                                                                                                               \
  target static void double_down_##variant(                                                                       \
    uint8_t *d, const uint8_t *near, const uint8_t *far, size_t count, unsigned bias) {                           \
    double_down_body(d, near, far, count, bias);                                                                  \
  }                                                                                                               \
  target static void double_both_##variant(                                                                       \
    uint8_t *d, const uint8_t *near, const uint8_t *far, size_t count) {                                          \
    double_both_body(d, near, far, count);                                                                        \
  }                                                                                                               \
  const nuke_jpeg_kernels nuke_jpeg_##variant = {                                                                 \
    .inverse_dct8 = nuke_jpeg_inverse_dct8_##variant,                                                             \
    .inverse_dct4 = nuke_jpeg_inverse_dct4_##variant,                                                             \
    .inverse_dct2 = nuke_jpeg_inverse_dct2_##variant,                                                             \
    .inverse_dct1 = inverse_dct1_##variant,                                                                       \
    .double_across = double_across_##variant,                                                                     \
    .double_down = double_down_##variant,                                                                         \
    .double_both = double_both_##variant,                                                                         \
    .ycc_to_rgba = nuke_jpeg_ycc_to_rgba_##variant,                                                               \
  };

ROWS(scalar, )

// Factors of 1.0 and more are split so that the fraction fits into 16 bits: 1.402 = 1 + 0.402, 1.772 = 2 − 0.228,
// 0.71414 = 1 − 0.28586.
#define YCC(V, OP, load)                                                                                  \
  const V middle = OP(set1_epi16)(128), one = OP(set1_epi16)(1), full = OP(set1_epi16)(255);              \
  const V l = load(y + i);                                                                                \
  const V b = OP(sub_epi16)(load(cb + i), middle), r = OP(sub_epi16)(load(cr + i), middle);               \
  const V red = OP(add_epi16)(                                                                            \
    OP(add_epi16)(l, r), OP(srai_epi16)(OP(add_epi16)(                                                    \
                           OP(mulhi_epi16)(OP(add_epi16)(r, r), OP(set1_epi16)(26345)), one), 1));        \
  const V blue = OP(add_epi16)(                                                                           \
    OP(add_epi16)(l, OP(add_epi16)(b, b)),                                                                \
    OP(srai_epi16)(OP(add_epi16)(OP(mulhi_epi16)(OP(add_epi16)(b, b), OP(set1_epi16)(-14942)), one), 1)); \
  const V factors = OP(set1_epi32)((int)(18734u << 16 | (-22554 & 0xFFFF)));                              \
  const V half = OP(set1_epi32)(1 << 15);                                                                 \
  const V low = OP(srai_epi32)(OP(add_epi32)(OP(madd_epi16)(OP(unpacklo_epi16)(b, r), factors), half), 16); \
  const V high = OP(srai_epi32)(OP(add_epi32)(OP(madd_epi16)(OP(unpackhi_epi16)(b, r), factors), half), 16); \
  const V green = OP(add_epi16)(OP(sub_epi16)(l, r), OP(packs_epi32)(low, high));                         \
  const V zero = OP(sub_epi16)(one, one);                                                                 \
  const V red8 = OP(max_epi16)(OP(min_epi16)(red, full), zero);                                           \
  const V green8 = OP(max_epi16)(OP(min_epi16)(green, full), zero);                                       \
  const V blue8 = OP(max_epi16)(OP(min_epi16)(blue, full), zero);                                         \
  const V red_green = OP(add_epi16)(red8, OP(slli_epi16)(green8, 8));                                     \
  const V blue_alpha = OP(add_epi16)(blue8, OP(set1_epi16)((short)0xFF00));                               \
  const V first = OP(unpacklo_epi16)(red_green, blue_alpha), second = OP(unpackhi_epi16)(red_green, blue_alpha);

#if NUKE_X86

#define VARIANT sse41
#define TARGET NUKE_SSE41
#define LANES 1
#define V __m128i
#define OP(name) _mm_##name
#include "jpeg_blocks.h"
#undef VARIANT
#undef TARGET
#undef LANES
#undef V
#undef OP

#define VARIANT avx2
#define TARGET NUKE_AVX2
#define LANES 2
#define V __m256i
#define OP(name) _mm256_##name
#define NARROWER(name) name##_sse41
#include "jpeg_blocks.h"

#define LOAD8(p) _mm_cvtepu8_epi16(_mm_loadl_epi64((const __m128i *)(p)))
#define LOAD16(p) _mm256_cvtepu8_epi16(_mm_loadu_si128((const __m128i *)(p)))
#define SSE(name) _mm_##name
#define AVX(name) _mm256_##name

NUKE_SSE41 static void nuke_jpeg_ycc_to_rgba_sse41(
  uint8_t *d, const uint8_t *y, const uint8_t *cb, const uint8_t *cr, size_t count) {
  size_t i = 0;
  for (; i + 8 <= count; i += 8) {
    YCC(__m128i, SSE, LOAD8)
    _mm_storeu_si128((__m128i *)(d + i * 4), first);
    _mm_storeu_si128((__m128i *)(d + i * 4 + 16), second);
  }
  nuke_jpeg_ycc_to_rgba_scalar(d + i * 4, y + i, cb + i, cr + i, count - i);
}

NUKE_AVX2 static void nuke_jpeg_ycc_to_rgba_avx2(
  uint8_t *d, const uint8_t *y, const uint8_t *cb, const uint8_t *cr, size_t count) {
  size_t i = 0;
  for (; i + 16 <= count; i += 16) {
    YCC(__m256i, AVX, LOAD16)
    _mm256_storeu_si256((__m256i *)(d + i * 4), _mm256_permute2x128_si256(first, second, 0x20));
    _mm256_storeu_si256((__m256i *)(d + i * 4 + 32), _mm256_permute2x128_si256(first, second, 0x31));
  }
  nuke_jpeg_ycc_to_rgba_scalar(d + i * 4, y + i, cb + i, cr + i, count - i);
}

ROWS(sse41, NUKE_SSE41)
ROWS(avx2, NUKE_AVX2)

#elif NUKE_NEON

#define NEON(name) neon_##name
#define TO32(v) vreinterpretq_s32_s16(v)
#define TO64(v) vreinterpretq_s64_s16(v)
#define FROM32(v) vreinterpretq_s16_s32(v)
#define FROM64(v) vreinterpretq_s16_s64(v)
#define UNARY(name, expression) \
  static inline int16x8_t neon_##name(int16x8_t a, int n) { return expression; }
#define BINARY(name, expression) \
  static inline int16x8_t neon_##name(int16x8_t a, int16x8_t b) { return expression; }

// What the transforms need, by the names that it has on x86.
static inline int16x8_t neon_set1_epi8(int x) { return vreinterpretq_s16_s8(vdupq_n_s8((int8_t)x)); }
static inline int16x8_t neon_set1_epi16(int x) { return vdupq_n_s16((int16_t)x); }
static inline int16x8_t neon_set1_epi32(int x) { return FROM32(vdupq_n_s32(x)); }
UNARY(slli_epi16, vshlq_s16(a, vdupq_n_s16((int16_t)n)))
UNARY(srai_epi16, vshlq_s16(a, vdupq_n_s16((int16_t)-n)))
UNARY(slli_epi32, FROM32(vshlq_s32(TO32(a), vdupq_n_s32(n))))
UNARY(srai_epi32, FROM32(vshlq_s32(TO32(a), vdupq_n_s32(-n))))
BINARY(add_epi8, vreinterpretq_s16_s8(vaddq_s8(vreinterpretq_s8_s16(a), vreinterpretq_s8_s16(b))))
BINARY(add_epi16, vaddq_s16(a, b))
BINARY(sub_epi16, vsubq_s16(a, b))
BINARY(min_epi16, vminq_s16(a, b))
BINARY(max_epi16, vmaxq_s16(a, b))
BINARY(mullo_epi16, vmulq_s16(a, b))
BINARY(mulhi_epi16, vcombine_s16(vshrn_n_s32(vmull_s16(vget_low_s16(a), vget_low_s16(b)), 16),
                                 vshrn_n_s32(vmull_high_s16(a, b), 16)))
BINARY(madd_epi16, FROM32(vpaddq_s32(vmull_s16(vget_low_s16(a), vget_low_s16(b)), vmull_high_s16(a, b))))
BINARY(add_epi32, FROM32(vaddq_s32(TO32(a), TO32(b))))
BINARY(sub_epi32, FROM32(vsubq_s32(TO32(a), TO32(b))))
BINARY(packs_epi32, vcombine_s16(vqmovn_s32(TO32(a)), vqmovn_s32(TO32(b))))
BINARY(packs_epi16, vreinterpretq_s16_s8(vcombine_s8(vqmovn_s16(a), vqmovn_s16(b))))
BINARY(unpacklo_epi16, vzip1q_s16(a, b))
BINARY(unpackhi_epi16, vzip2q_s16(a, b))
BINARY(unpacklo_epi32, FROM32(vzip1q_s32(TO32(a), TO32(b))))
BINARY(unpackhi_epi32, FROM32(vzip2q_s32(TO32(a), TO32(b))))
BINARY(unpacklo_epi64, FROM64(vzip1q_s64(TO64(a), TO64(b))))
BINARY(unpackhi_epi64, FROM64(vzip2q_s64(TO64(a), TO64(b))))

#define VARIANT neon
#define TARGET
#define LANES 1
#define V int16x8_t
#define OP(name) neon_##name
#include "jpeg_blocks.h"

#define LOAD8(p) vreinterpretq_s16_u16(vmovl_u8(vld1_u8(p)))

static void nuke_jpeg_ycc_to_rgba_neon(
  uint8_t *d, const uint8_t *y, const uint8_t *cb, const uint8_t *cr, size_t count) {
  size_t i = 0;
  for (; i + 8 <= count; i += 8) {
    YCC(int16x8_t, NEON, LOAD8)
    vst1q_u8(d + i * 4, vreinterpretq_u8_s16(first));
    vst1q_u8(d + i * 4 + 16, vreinterpretq_u8_s16(second));
  }
  nuke_jpeg_ycc_to_rgba_scalar(d + i * 4, y + i, cb + i, cr + i, count - i);
}

ROWS(neon, )

#endif
