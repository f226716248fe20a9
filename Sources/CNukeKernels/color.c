#include "kernels.h"

// A color matrix on premultiplied bytes. The offset of each channel is multiplied by alpha, as the weight of the fourth
// channel, and results are clamped to alpha. Premultiplied pixels are therefore treated like straight ones, and opaque
// pixels need no special case.

enum { matrix_half = 1 << (nuke_matrix_shift - 1) };

void nuke_color_matrix_scalar(uint8_t *d, const uint8_t *s, size_t count, const int16_t *m) {
  for (size_t i = 0; i < count; i++, d += 4, s += 4) {
    const int32_t a = s[3];
    int32_t sums[3];
    for (int c = 0; c < 3; c++) {
      const int16_t *row = m + c * 4;
      const int32_t sum = row[0] * s[0] + row[1] * s[1] + row[2] * s[2] + row[3] * a + matrix_half;
      const int32_t value = sum >> nuke_matrix_shift;
      sums[c] = value < 0 ? 0 : value > a ? a : value;
    }
    for (int c = 0; c < 3; c++) d[c] = (uint8_t)sums[c];
    d[3] = (uint8_t)a;
  }
}

#if NUKE_X86

// The weights of red and green, and those of blue and alpha, as pairs for pmaddwd.
static inline int32_t pair(const int16_t *weights) {
  return (int32_t)((uint32_t)(uint16_t)weights[0] | (uint32_t)(uint16_t)weights[1] << 16);
}

NUKE_SSE41 static inline __m128i channel_sse41(__m128i rg, __m128i ba, __m128i a, const int16_t *row) {
  const __m128i sum = _mm_add_epi32(
    _mm_madd_epi16(rg, _mm_set1_epi32(pair(row))), _mm_madd_epi16(ba, _mm_set1_epi32(pair(row + 2))));
  const __m128i value = _mm_srai_epi32(_mm_add_epi32(sum, _mm_set1_epi32(matrix_half)), nuke_matrix_shift);
  return _mm_min_epi32(_mm_max_epi32(value, _mm_setzero_si128()), a);
}

NUKE_SSE41 void nuke_color_matrix_sse41(uint8_t *d, const uint8_t *s, size_t count, const int16_t *m) {
  const __m128i first = _mm_setr_epi8(0, -1, 1, -1, 4, -1, 5, -1, 8, -1, 9, -1, 12, -1, 13, -1);
  const __m128i second = _mm_setr_epi8(2, -1, 3, -1, 6, -1, 7, -1, 10, -1, 11, -1, 14, -1, 15, -1);
  size_t i = 0;
  for (; i + 4 <= count; i += 4) {
    const __m128i v = _mm_loadu_si128((const __m128i *)(s + i * 4));
    const __m128i rg = _mm_shuffle_epi8(v, first), ba = _mm_shuffle_epi8(v, second), a = _mm_srli_epi32(v, 24);
    const __m128i r = channel_sse41(rg, ba, a, m), g = channel_sse41(rg, ba, a, m + 4);
    const __m128i b = channel_sse41(rg, ba, a, m + 8);
    const __m128i low = _mm_or_si128(r, _mm_slli_epi32(g, 8));
    const __m128i high = _mm_or_si128(_mm_slli_epi32(b, 16), _mm_slli_epi32(a, 24));
    _mm_storeu_si128((__m128i *)(d + i * 4), _mm_or_si128(low, high));
  }
  nuke_color_matrix_scalar(d + i * 4, s + i * 4, count - i, m);
}

NUKE_AVX2 static inline __m256i channel_avx2(__m256i rg, __m256i ba, __m256i a, const int16_t *row) {
  const __m256i sum = _mm256_add_epi32(
    _mm256_madd_epi16(rg, _mm256_set1_epi32(pair(row))), _mm256_madd_epi16(ba, _mm256_set1_epi32(pair(row + 2))));
  const __m256i value = _mm256_srai_epi32(_mm256_add_epi32(sum, _mm256_set1_epi32(matrix_half)), nuke_matrix_shift);
  return _mm256_min_epi32(_mm256_max_epi32(value, _mm256_setzero_si256()), a);
}

NUKE_AVX2 void nuke_color_matrix_avx2(uint8_t *d, const uint8_t *s, size_t count, const int16_t *m) {
  const __m256i first = _mm256_broadcastsi128_si256(
    _mm_setr_epi8(0, -1, 1, -1, 4, -1, 5, -1, 8, -1, 9, -1, 12, -1, 13, -1));
  const __m256i second = _mm256_broadcastsi128_si256(
    _mm_setr_epi8(2, -1, 3, -1, 6, -1, 7, -1, 10, -1, 11, -1, 14, -1, 15, -1));
  size_t i = 0;
  for (; i + 8 <= count; i += 8) {
    const __m256i v = _mm256_loadu_si256((const __m256i *)(s + i * 4));
    const __m256i rg = _mm256_shuffle_epi8(v, first), ba = _mm256_shuffle_epi8(v, second);
    const __m256i a = _mm256_srli_epi32(v, 24);
    const __m256i r = channel_avx2(rg, ba, a, m), g = channel_avx2(rg, ba, a, m + 4);
    const __m256i b = channel_avx2(rg, ba, a, m + 8);
    const __m256i low = _mm256_or_si256(r, _mm256_slli_epi32(g, 8));
    const __m256i high = _mm256_or_si256(_mm256_slli_epi32(b, 16), _mm256_slli_epi32(a, 24));
    _mm256_storeu_si256((__m256i *)(d + i * 4), _mm256_or_si256(low, high));
  }
  nuke_color_matrix_scalar(d + i * 4, s + i * 4, count - i, m);
}

NUKE_AVX512 static inline __m512i channel_avx512(__m512i rg, __m512i ba, __m512i a, const int16_t *row) {
  __m512i sum = _mm512_set1_epi32(matrix_half);
  sum = _mm512_dpwssd_epi32(sum, rg, _mm512_set1_epi32(pair(row)));
  sum = _mm512_dpwssd_epi32(sum, ba, _mm512_set1_epi32(pair(row + 2)));
  const __m512i value = _mm512_srai_epi32(sum, nuke_matrix_shift);
  return _mm512_min_epi32(_mm512_max_epi32(value, _mm512_setzero_si512()), a);
}

NUKE_AVX512 void nuke_color_matrix_avx512(uint8_t *d, const uint8_t *s, size_t count, const int16_t *m) {
  const __m512i first = _mm512_broadcast_i32x4(
    _mm_setr_epi8(0, -1, 1, -1, 4, -1, 5, -1, 8, -1, 9, -1, 12, -1, 13, -1));
  const __m512i second = _mm512_broadcast_i32x4(
    _mm_setr_epi8(2, -1, 3, -1, 6, -1, 7, -1, 10, -1, 11, -1, 14, -1, 15, -1));
  size_t i = 0;
  for (; i + 16 <= count; i += 16) {
    const __m512i v = _mm512_loadu_si512((const void *)(s + i * 4));
    const __m512i rg = _mm512_shuffle_epi8(v, first), ba = _mm512_shuffle_epi8(v, second);
    const __m512i a = _mm512_srli_epi32(v, 24);
    const __m512i r = channel_avx512(rg, ba, a, m), g = channel_avx512(rg, ba, a, m + 4);
    const __m512i b = channel_avx512(rg, ba, a, m + 8);
    const __m512i low = _mm512_or_si512(r, _mm512_slli_epi32(g, 8));
    const __m512i high = _mm512_or_si512(_mm512_slli_epi32(b, 16), _mm512_slli_epi32(a, 24));
    _mm512_storeu_si512((void *)(d + i * 4), _mm512_or_si512(low, high));
  }
  nuke_color_matrix_scalar(d + i * 4, s + i * 4, count - i, m);
}

#elif NUKE_NEON

static inline int16x4_t channel_neon(
  int16x4_t r, int16x4_t g, int16x4_t b, int16x4_t a, const int16_t *row) {
  int32x4_t sum = vdupq_n_s32(matrix_half);
  sum = vmlal_n_s16(sum, r, row[0]);
  sum = vmlal_n_s16(sum, g, row[1]);
  sum = vmlal_n_s16(sum, b, row[2]);
  sum = vmlal_n_s16(sum, a, row[3]);
  const int32x4_t value = vmaxq_s32(vshrq_n_s32(sum, nuke_matrix_shift), vdupq_n_s32(0));
  return vmovn_s32(vminq_s32(value, vmovl_s16(a)));
}

void nuke_color_matrix_neon(uint8_t *d, const uint8_t *s, size_t count, const int16_t *m) {
  size_t i = 0;
  for (; i + 8 <= count; i += 8) {
    uint8x8x4_t v = vld4_u8(s + i * 4);
    const int16x8_t r = vreinterpretq_s16_u16(vmovl_u8(v.val[0])), g = vreinterpretq_s16_u16(vmovl_u8(v.val[1]));
    const int16x8_t b = vreinterpretq_s16_u16(vmovl_u8(v.val[2])), a = vreinterpretq_s16_u16(vmovl_u8(v.val[3]));
    for (int c = 0; c < 3; c++) {
      const int16x4_t low =
        channel_neon(vget_low_s16(r), vget_low_s16(g), vget_low_s16(b), vget_low_s16(a), m + c * 4);
      const int16x4_t high =
        channel_neon(vget_high_s16(r), vget_high_s16(g), vget_high_s16(b), vget_high_s16(a), m + c * 4);
      v.val[c] = vqmovun_s16(vcombine_s16(low, high));
    }
    vst4_u8(d + i * 4, v);
  }
  nuke_color_matrix_scalar(d + i * 4, s + i * 4, count - i, m);
}

#endif
