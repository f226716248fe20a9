#include "kernels.h"

// Premultiplying: c * a / 255 rounded to nearest is (t + (t >> 8)) >> 8 with t = c * a + 128, exact for all bytes.
//
// Unpremultiplying: with c <= a, c * 255 / a rounded to nearest, halves up. The vector forms compute it in floats as
// floor(c * (255 / a) + 1/2 + 1/1024): a quotient that is not at or above a half is at least 1/510 below it, the
// float error stays under 1/10000, so the sum falls on the right side of the integer in every case.

bool nuke_premultiply_scalar(uint8_t *d, const uint8_t *s, size_t count) {
  uint8_t all = 255;
  for (size_t i = 0; i < count; i++, d += 4, s += 4) {
    const unsigned a = s[3];
    all &= s[3];
    for (int c = 0; c < 3; c++) {
      const unsigned t = s[c] * a + 128;
      d[c] = (uint8_t)((t + (t >> 8)) >> 8);
    }
    d[3] = (uint8_t)a;
  }
  return all == 255;
}

void nuke_unpremultiply_scalar(uint8_t *d, const uint8_t *s, size_t count) {
  for (size_t i = 0; i < count; i++, d += 4, s += 4) {
    const unsigned a = s[3];
    for (int c = 0; c < 3; c++) {
      const unsigned v = s[c] < a ? s[c] : a;
      d[c] = a ? (uint8_t)((v * 255 + a / 2) / a) : 0;
    }
    d[3] = (uint8_t)a;
  }
}

#if NUKE_X86

NUKE_SSE41 bool nuke_premultiply_sse41(uint8_t *d, const uint8_t *s, size_t count) {
  const __m128i color = _mm_set1_epi32(0x00ffffff), ones = _mm_set1_epi32(-1), zero = _mm_setzero_si128();
  const __m128i alpha_low = _mm_setr_epi8(3, -1, 3, -1, 3, -1, -1, -1, 7, -1, 7, -1, 7, -1, -1, -1);
  const __m128i alpha_high = _mm_setr_epi8(11, -1, 11, -1, 11, -1, -1, -1, 15, -1, 15, -1, 15, -1, -1, -1);
  // Alpha itself is multiplied by 255, which does not change it.
  const __m128i keep = _mm_setr_epi16(0, 0, 0, 255, 0, 0, 0, 255), half = _mm_set1_epi16(128);
  __m128i all = ones;
  size_t i = 0;
  for (; i + 4 <= count; i += 4) {
    const __m128i v = _mm_loadu_si128((const __m128i *)(s + i * 4));
    const __m128i alpha = _mm_or_si128(v, color);
    all = _mm_and_si128(all, alpha);
    if (_mm_test_all_ones(alpha)) {
      _mm_storeu_si128((__m128i *)(d + i * 4), v);
      continue;
    }
    __m128i low = _mm_mullo_epi16(_mm_unpacklo_epi8(v, zero), _mm_or_si128(_mm_shuffle_epi8(v, alpha_low), keep));
    __m128i high = _mm_mullo_epi16(_mm_unpackhi_epi8(v, zero), _mm_or_si128(_mm_shuffle_epi8(v, alpha_high), keep));
    low = _mm_add_epi16(low, half);
    high = _mm_add_epi16(high, half);
    low = _mm_srli_epi16(_mm_add_epi16(low, _mm_srli_epi16(low, 8)), 8);
    high = _mm_srli_epi16(_mm_add_epi16(high, _mm_srli_epi16(high, 8)), 8);
    _mm_storeu_si128((__m128i *)(d + i * 4), _mm_packus_epi16(low, high));
  }
  const bool opaque = nuke_premultiply_scalar(d + i * 4, s + i * 4, count - i);
  return opaque && _mm_test_all_ones(all);
}

NUKE_AVX2 bool nuke_premultiply_avx2(uint8_t *d, const uint8_t *s, size_t count) {
  const __m256i color = _mm256_set1_epi32(0x00ffffff), ones = _mm256_set1_epi32(-1), zero = _mm256_setzero_si256();
  const __m256i alpha_low =
    _mm256_broadcastsi128_si256(_mm_setr_epi8(3, -1, 3, -1, 3, -1, -1, -1, 7, -1, 7, -1, 7, -1, -1, -1));
  const __m256i alpha_high =
    _mm256_broadcastsi128_si256(_mm_setr_epi8(11, -1, 11, -1, 11, -1, -1, -1, 15, -1, 15, -1, 15, -1, -1, -1));
  const __m256i keep = _mm256_set1_epi64x(255LL << 48), half = _mm256_set1_epi16(128);
  __m256i all = ones;
  size_t i = 0;
  for (; i + 8 <= count; i += 8) {
    const __m256i v = _mm256_loadu_si256((const __m256i *)(s + i * 4));
    const __m256i alpha = _mm256_or_si256(v, color);
    all = _mm256_and_si256(all, alpha);
    if (_mm256_testc_si256(alpha, ones)) {
      _mm256_storeu_si256((__m256i *)(d + i * 4), v);
      continue;
    }
    __m256i low =
      _mm256_mullo_epi16(_mm256_unpacklo_epi8(v, zero), _mm256_or_si256(_mm256_shuffle_epi8(v, alpha_low), keep));
    __m256i high =
      _mm256_mullo_epi16(_mm256_unpackhi_epi8(v, zero), _mm256_or_si256(_mm256_shuffle_epi8(v, alpha_high), keep));
    low = _mm256_add_epi16(low, half);
    high = _mm256_add_epi16(high, half);
    low = _mm256_srli_epi16(_mm256_add_epi16(low, _mm256_srli_epi16(low, 8)), 8);
    high = _mm256_srli_epi16(_mm256_add_epi16(high, _mm256_srli_epi16(high, 8)), 8);
    _mm256_storeu_si256((__m256i *)(d + i * 4), _mm256_packus_epi16(low, high));
  }
  const bool opaque = nuke_premultiply_scalar(d + i * 4, s + i * 4, count - i);
  return opaque && _mm256_testc_si256(all, ones);
}

NUKE_SSE41 void nuke_unpremultiply_sse41(uint8_t *d, const uint8_t *s, size_t count) {
  const __m128i byte = _mm_set1_epi32(255), opaque = _mm_set1_epi32((int)0xff000000);
  const __m128i alpha_bytes = _mm_setr_epi8(3, 3, 3, 3, 7, 7, 7, 7, 11, 11, 11, 11, 15, 15, 15, 15);
  const __m128 bias = _mm_set1_ps(0.5f + 1.0f / 1024);
  size_t i = 0;
  for (; i + 4 <= count; i += 4) {
    __m128i v = _mm_loadu_si128((const __m128i *)(s + i * 4));
    if (_mm_testc_si128(v, opaque)) {
      _mm_storeu_si128((__m128i *)(d + i * 4), v);
      continue;
    }
    v = _mm_min_epu8(v, _mm_shuffle_epi8(v, alpha_bytes));
    const __m128i a = _mm_srli_epi32(v, 24);
    const __m128 factor = _mm_div_ps(_mm_set1_ps(255), _mm_cvtepi32_ps(_mm_max_epi32(a, _mm_set1_epi32(1))));
    const __m128 r = _mm_cvtepi32_ps(_mm_and_si128(v, byte));
    const __m128 g = _mm_cvtepi32_ps(_mm_and_si128(_mm_srli_epi32(v, 8), byte));
    const __m128 b = _mm_cvtepi32_ps(_mm_and_si128(_mm_srli_epi32(v, 16), byte));
    const __m128i red = _mm_cvttps_epi32(_mm_add_ps(_mm_mul_ps(r, factor), bias));
    const __m128i green = _mm_slli_epi32(_mm_cvttps_epi32(_mm_add_ps(_mm_mul_ps(g, factor), bias)), 8);
    const __m128i blue = _mm_slli_epi32(_mm_cvttps_epi32(_mm_add_ps(_mm_mul_ps(b, factor), bias)), 16);
    const __m128i alpha = _mm_slli_epi32(a, 24);
    _mm_storeu_si128((__m128i *)(d + i * 4), _mm_or_si128(_mm_or_si128(red, green), _mm_or_si128(blue, alpha)));
  }
  nuke_unpremultiply_scalar(d + i * 4, s + i * 4, count - i);
}

NUKE_AVX2 void nuke_unpremultiply_avx2(uint8_t *d, const uint8_t *s, size_t count) {
  const __m256i byte = _mm256_set1_epi32(255), opaque = _mm256_set1_epi32((int)0xff000000);
  const __m256i alpha_bytes =
    _mm256_broadcastsi128_si256(_mm_setr_epi8(3, 3, 3, 3, 7, 7, 7, 7, 11, 11, 11, 11, 15, 15, 15, 15));
  const __m256 bias = _mm256_set1_ps(0.5f + 1.0f / 1024);
  size_t i = 0;
  for (; i + 8 <= count; i += 8) {
    __m256i v = _mm256_loadu_si256((const __m256i *)(s + i * 4));
    if (_mm256_testc_si256(v, opaque)) {
      _mm256_storeu_si256((__m256i *)(d + i * 4), v);
      continue;
    }
    v = _mm256_min_epu8(v, _mm256_shuffle_epi8(v, alpha_bytes));
    const __m256i a = _mm256_srli_epi32(v, 24);
    const __m256 factor =
      _mm256_div_ps(_mm256_set1_ps(255), _mm256_cvtepi32_ps(_mm256_max_epi32(a, _mm256_set1_epi32(1))));
    const __m256 r = _mm256_cvtepi32_ps(_mm256_and_si256(v, byte));
    const __m256 g = _mm256_cvtepi32_ps(_mm256_and_si256(_mm256_srli_epi32(v, 8), byte));
    const __m256 b = _mm256_cvtepi32_ps(_mm256_and_si256(_mm256_srli_epi32(v, 16), byte));
    const __m256i red = _mm256_cvttps_epi32(_mm256_add_ps(_mm256_mul_ps(r, factor), bias));
    const __m256i green = _mm256_slli_epi32(_mm256_cvttps_epi32(_mm256_add_ps(_mm256_mul_ps(g, factor), bias)), 8);
    const __m256i blue = _mm256_slli_epi32(_mm256_cvttps_epi32(_mm256_add_ps(_mm256_mul_ps(b, factor), bias)), 16);
    const __m256i alpha = _mm256_slli_epi32(a, 24);
    const __m256i pixels = _mm256_or_si256(_mm256_or_si256(red, green), _mm256_or_si256(blue, alpha));
    _mm256_storeu_si256((__m256i *)(d + i * 4), pixels);
  }
  nuke_unpremultiply_scalar(d + i * 4, s + i * 4, count - i);
}

#elif NUKE_NEON

bool nuke_premultiply_neon(uint8_t *d, const uint8_t *s, size_t count) {
  uint8x8_t all = vdup_n_u8(255);
  size_t i = 0;
  for (; i + 8 <= count; i += 8) {
    uint8x8x4_t v = vld4_u8(s + i * 4);
    all = vand_u8(all, v.val[3]);
    for (int c = 0; c < 3; c++) {
      const uint16x8_t t = vmull_u8(v.val[c], v.val[3]);
      v.val[c] = vraddhn_u16(t, vrshrq_n_u16(t, 8));
    }
    vst4_u8(d + i * 4, v);
  }
  const bool opaque = nuke_premultiply_scalar(d + i * 4, s + i * 4, count - i);
  return opaque && vminv_u8(all) == 255;
}

static inline uint16x4_t divide_neon(uint16x4_t color, float32x4_t factor) {
  const float32x4_t c = vcvtq_f32_u32(vmovl_u16(color));
  const float32x4_t biased = vaddq_f32(vmulq_f32(c, factor), vdupq_n_f32(0.5f + 1.0f / 1024));
  return vmovn_u32(vcvtq_u32_f32(biased));
}

static inline float32x4_t factor_neon(uint16x4_t alpha) {
  const uint32x4_t a = vmaxq_u32(vmovl_u16(alpha), vdupq_n_u32(1));
  return vdivq_f32(vdupq_n_f32(255), vcvtq_f32_u32(a));
}

void nuke_unpremultiply_neon(uint8_t *d, const uint8_t *s, size_t count) {
  size_t i = 0;
  for (; i + 8 <= count; i += 8) {
    uint8x8x4_t v = vld4_u8(s + i * 4);
    const uint16x8_t alpha = vmovl_u8(v.val[3]);
    const float32x4_t low = factor_neon(vget_low_u16(alpha)), high = factor_neon(vget_high_u16(alpha));
    for (int c = 0; c < 3; c++) {
      const uint16x8_t color = vmovl_u8(vmin_u8(v.val[c], v.val[3]));
      const uint16x4_t first = divide_neon(vget_low_u16(color), low);
      v.val[c] = vmovn_u16(vcombine_u16(first, divide_neon(vget_high_u16(color), high)));
    }
    vst4_u8(d + i * 4, v);
  }
  nuke_unpremultiply_scalar(d + i * 4, s + i * 4, count - i);
}

#endif
