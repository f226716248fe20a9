#include "kernels.h"

void nuke_swap_red_blue_scalar(uint8_t *d, const uint8_t *s, size_t count) {
  for (size_t i = 0; i < count; i++, d += 4, s += 4) {
    const uint8_t first = s[0], third = s[2];
    d[0] = third;
    d[1] = s[1];
    d[2] = first;
    d[3] = s[3];
  }
}

void nuke_rgb_to_rgba_scalar(uint8_t *d, const uint8_t *s, size_t count) {
  for (size_t i = 0; i < count; i++, d += 4, s += 3) {
    d[0] = s[0];
    d[1] = s[1];
    d[2] = s[2];
    d[3] = 255;
  }
}

void nuke_gray_to_rgba_scalar(uint8_t *d, const uint8_t *s, size_t count) {
  for (size_t i = 0; i < count; i++, d += 4) {
    d[0] = d[1] = d[2] = s[i];
    d[3] = 255;
  }
}

void nuke_gray_alpha_to_rgba_scalar(uint8_t *d, const uint8_t *s, size_t count) {
  for (size_t i = 0; i < count; i++, d += 4, s += 2) {
    d[0] = d[1] = d[2] = s[0];
    d[3] = s[1];
  }
}

void nuke_set_opaque_scalar(uint8_t *p, size_t count) {
  for (size_t i = 0; i < count; i++) p[i * 4 + 3] = 255;
}

bool nuke_is_opaque_scalar(const uint8_t *p, size_t count) {
  for (size_t i = 0; i < count; i++) {
    if (p[i * 4 + 3] != 255) return false;
  }
  return true;
}

#if NUKE_X86

NUKE_SSE41 void nuke_swap_red_blue_sse41(uint8_t *d, const uint8_t *s, size_t count) {
  const __m128i swap = _mm_setr_epi8(2, 1, 0, 3, 6, 5, 4, 7, 10, 9, 8, 11, 14, 13, 12, 15);
  size_t i = 0;
  for (; i + 4 <= count; i += 4) {
    const __m128i v = _mm_loadu_si128((const __m128i *)(s + i * 4));
    _mm_storeu_si128((__m128i *)(d + i * 4), _mm_shuffle_epi8(v, swap));
  }
  nuke_swap_red_blue_scalar(d + i * 4, s + i * 4, count - i);
}

NUKE_SSE41 void nuke_rgb_to_rgba_sse41(uint8_t *d, const uint8_t *s, size_t count) {
  const __m128i spread = _mm_setr_epi8(0, 1, 2, -1, 3, 4, 5, -1, 6, 7, 8, -1, 9, 10, 11, -1);
  const __m128i alpha = _mm_set1_epi32((int)0xff000000);
  size_t i = 0;
  // A load reads 16 bytes, and four pixels have 12, so two more pixels must follow.
  for (; i + 6 <= count; i += 4) {
    const __m128i v = _mm_loadu_si128((const __m128i *)(s + i * 3));
    _mm_storeu_si128((__m128i *)(d + i * 4), _mm_or_si128(_mm_shuffle_epi8(v, spread), alpha));
  }
  nuke_rgb_to_rgba_scalar(d + i * 4, s + i * 3, count - i);
}

NUKE_SSE41 void nuke_gray_to_rgba_sse41(uint8_t *d, const uint8_t *s, size_t count) {
  const __m128i alpha = _mm_set1_epi32((int)0xff000000), step = _mm_set1_epi8(4);
  const __m128i first = _mm_setr_epi8(0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3);
  size_t i = 0;
  for (; i + 16 <= count; i += 16) {
    const __m128i v = _mm_loadu_si128((const __m128i *)(s + i));
    __m128i spread = first;
    for (int k = 0; k < 4; k++) {
      _mm_storeu_si128((__m128i *)(d + i * 4 + k * 16), _mm_or_si128(_mm_shuffle_epi8(v, spread), alpha));
      spread = _mm_add_epi8(spread, step);
    }
  }
  nuke_gray_to_rgba_scalar(d + i * 4, s + i, count - i);
}

NUKE_SSE41 void nuke_gray_alpha_to_rgba_sse41(uint8_t *d, const uint8_t *s, size_t count) {
  const __m128i low = _mm_setr_epi8(0, 0, 0, 1, 2, 2, 2, 3, 4, 4, 4, 5, 6, 6, 6, 7);
  const __m128i high = _mm_setr_epi8(8, 8, 8, 9, 10, 10, 10, 11, 12, 12, 12, 13, 14, 14, 14, 15);
  size_t i = 0;
  for (; i + 8 <= count; i += 8) {
    const __m128i v = _mm_loadu_si128((const __m128i *)(s + i * 2));
    _mm_storeu_si128((__m128i *)(d + i * 4), _mm_shuffle_epi8(v, low));
    _mm_storeu_si128((__m128i *)(d + i * 4 + 16), _mm_shuffle_epi8(v, high));
  }
  nuke_gray_alpha_to_rgba_scalar(d + i * 4, s + i * 2, count - i);
}

NUKE_SSE41 void nuke_set_opaque_sse41(uint8_t *p, size_t count) {
  const __m128i alpha = _mm_set1_epi32((int)0xff000000);
  size_t i = 0;
  for (; i + 4 <= count; i += 4) {
    __m128i *at = (__m128i *)(p + i * 4);
    _mm_storeu_si128(at, _mm_or_si128(_mm_loadu_si128(at), alpha));
  }
  nuke_set_opaque_scalar(p + i * 4, count - i);
}

NUKE_SSE41 bool nuke_is_opaque_sse41(const uint8_t *p, size_t count) {
  const __m128i alpha = _mm_set1_epi32((int)0xff000000);
  size_t i = 0;
  for (; i + 16 <= count; i += 16) {
    const __m128i *at = (const __m128i *)(p + i * 4);
    const __m128i first = _mm_and_si128(_mm_loadu_si128(at), _mm_loadu_si128(at + 1));
    const __m128i second = _mm_and_si128(_mm_loadu_si128(at + 2), _mm_loadu_si128(at + 3));
    if (!_mm_testc_si128(_mm_and_si128(first, second), alpha)) return false;
  }
  return nuke_is_opaque_scalar(p + i * 4, count - i);
}

NUKE_AVX2 void nuke_swap_red_blue_avx2(uint8_t *d, const uint8_t *s, size_t count) {
  const __m256i swap =
    _mm256_broadcastsi128_si256(_mm_setr_epi8(2, 1, 0, 3, 6, 5, 4, 7, 10, 9, 8, 11, 14, 13, 12, 15));
  size_t i = 0;
  for (; i + 8 <= count; i += 8) {
    const __m256i v = _mm256_loadu_si256((const __m256i *)(s + i * 4));
    _mm256_storeu_si256((__m256i *)(d + i * 4), _mm256_shuffle_epi8(v, swap));
  }
  nuke_swap_red_blue_scalar(d + i * 4, s + i * 4, count - i);
}

NUKE_AVX2 void nuke_rgb_to_rgba_avx2(uint8_t *d, const uint8_t *s, size_t count) {
  const __m256i spread =
    _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 1, 2, -1, 3, 4, 5, -1, 6, 7, 8, -1, 9, 10, 11, -1));
  const __m256i alpha = _mm256_set1_epi32((int)0xff000000);
  size_t i = 0;
  // The upper load ends 4 bytes after the eighth pixel, so two more pixels must follow.
  for (; i + 10 <= count; i += 8) {
    const __m128i low = _mm_loadu_si128((const __m128i *)(s + i * 3));
    const __m128i high = _mm_loadu_si128((const __m128i *)(s + i * 3 + 12));
    const __m256i v = _mm256_inserti128_si256(_mm256_castsi128_si256(low), high, 1);
    _mm256_storeu_si256((__m256i *)(d + i * 4), _mm256_or_si256(_mm256_shuffle_epi8(v, spread), alpha));
  }
  nuke_rgb_to_rgba_scalar(d + i * 4, s + i * 3, count - i);
}

NUKE_AVX2 void nuke_gray_to_rgba_avx2(uint8_t *d, const uint8_t *s, size_t count) {
  const __m256i gray = _mm256_set1_epi32(0x00010101), alpha = _mm256_set1_epi32((int)0xff000000);
  size_t i = 0;
  for (; i + 8 <= count; i += 8) {
    const __m256i v = _mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)(s + i)));
    const __m256i pixels = _mm256_or_si256(_mm256_mullo_epi32(v, gray), alpha);
    _mm256_storeu_si256((__m256i *)(d + i * 4), pixels);
  }
  nuke_gray_to_rgba_scalar(d + i * 4, s + i, count - i);
}

NUKE_AVX2 void nuke_gray_alpha_to_rgba_avx2(uint8_t *d, const uint8_t *s, size_t count) {
  const __m256i spread = _mm256_setr_epi8(0, 0, 0, 1, 2, 2, 2, 3, 4, 4, 4, 5, 6, 6, 6, 7, 8, 8, 8, 9, 10, 10, 10, 11,
    12, 12, 12, 13, 14, 14, 14, 15);
  size_t i = 0;
  for (; i + 8 <= count; i += 8) {
    const __m256i v = _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)(s + i * 2)));
    _mm256_storeu_si256((__m256i *)(d + i * 4), _mm256_shuffle_epi8(v, spread));
  }
  nuke_gray_alpha_to_rgba_scalar(d + i * 4, s + i * 2, count - i);
}

NUKE_AVX2 void nuke_set_opaque_avx2(uint8_t *p, size_t count) {
  const __m256i alpha = _mm256_set1_epi32((int)0xff000000);
  size_t i = 0;
  for (; i + 8 <= count; i += 8) {
    __m256i *at = (__m256i *)(p + i * 4);
    _mm256_storeu_si256(at, _mm256_or_si256(_mm256_loadu_si256(at), alpha));
  }
  nuke_set_opaque_scalar(p + i * 4, count - i);
}

NUKE_AVX2 bool nuke_is_opaque_avx2(const uint8_t *p, size_t count) {
  const __m256i alpha = _mm256_set1_epi32((int)0xff000000);
  size_t i = 0;
  for (; i + 32 <= count; i += 32) {
    const __m256i *at = (const __m256i *)(p + i * 4);
    const __m256i first = _mm256_and_si256(_mm256_loadu_si256(at), _mm256_loadu_si256(at + 1));
    const __m256i second = _mm256_and_si256(_mm256_loadu_si256(at + 2), _mm256_loadu_si256(at + 3));
    if (!_mm256_testc_si256(_mm256_and_si256(first, second), alpha)) return false;
  }
  return nuke_is_opaque_scalar(p + i * 4, count - i);
}

#elif NUKE_NEON

void nuke_swap_red_blue_neon(uint8_t *d, const uint8_t *s, size_t count) {
  size_t i = 0;
  for (; i + 16 <= count; i += 16) {
    uint8x16x4_t v = vld4q_u8(s + i * 4);
    const uint8x16_t first = v.val[0];
    v.val[0] = v.val[2];
    v.val[2] = first;
    vst4q_u8(d + i * 4, v);
  }
  nuke_swap_red_blue_scalar(d + i * 4, s + i * 4, count - i);
}

void nuke_rgb_to_rgba_neon(uint8_t *d, const uint8_t *s, size_t count) {
  size_t i = 0;
  for (; i + 16 <= count; i += 16) {
    const uint8x16x3_t v = vld3q_u8(s + i * 3);
    const uint8x16x4_t pixels = {{v.val[0], v.val[1], v.val[2], vdupq_n_u8(255)}};
    vst4q_u8(d + i * 4, pixels);
  }
  nuke_rgb_to_rgba_scalar(d + i * 4, s + i * 3, count - i);
}

void nuke_gray_to_rgba_neon(uint8_t *d, const uint8_t *s, size_t count) {
  size_t i = 0;
  for (; i + 16 <= count; i += 16) {
    const uint8x16_t v = vld1q_u8(s + i);
    const uint8x16x4_t pixels = {{v, v, v, vdupq_n_u8(255)}};
    vst4q_u8(d + i * 4, pixels);
  }
  nuke_gray_to_rgba_scalar(d + i * 4, s + i, count - i);
}

void nuke_gray_alpha_to_rgba_neon(uint8_t *d, const uint8_t *s, size_t count) {
  size_t i = 0;
  for (; i + 16 <= count; i += 16) {
    const uint8x16x2_t v = vld2q_u8(s + i * 2);
    const uint8x16x4_t pixels = {{v.val[0], v.val[0], v.val[0], v.val[1]}};
    vst4q_u8(d + i * 4, pixels);
  }
  nuke_gray_alpha_to_rgba_scalar(d + i * 4, s + i * 2, count - i);
}

void nuke_set_opaque_neon(uint8_t *p, size_t count) {
  const uint8x16_t alpha = vreinterpretq_u8_u32(vdupq_n_u32(0xff000000));
  size_t i = 0;
  for (; i + 4 <= count; i += 4) vst1q_u8(p + i * 4, vorrq_u8(vld1q_u8(p + i * 4), alpha));
  nuke_set_opaque_scalar(p + i * 4, count - i);
}

bool nuke_is_opaque_neon(const uint8_t *p, size_t count) {
  size_t i = 0;
  for (; i + 16 <= count; i += 16) {
    if (vminvq_u8(vld4q_u8(p + i * 4).val[3]) != 255) return false;
  }
  return nuke_is_opaque_scalar(p + i * 4, count - i);
}

#endif
