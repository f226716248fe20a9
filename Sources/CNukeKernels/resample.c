#include "kernels.h"

#include <string.h>

// Weights are int16 with 14 fractional bits, and sums are int32. The weights of an output sum to one, and the sum of
// their magnitudes is less than 2 for Lanczos-3, so that a sum of bytes is less than 2^23. Integer sums do not depend
// on their order: all variants give the same bytes.
//
// Each source row is resampled horizontally once, in order, into a ring buffer of the rows that an output row needs. So
// the source is read once from front to back at any reduction, and the ring buffer stays in the cache. The number of
// multiplications is the area of the source times the width of the filter at scale 1, at any reduction: no box filter
// is needed before.

enum { half = 1 << (nuke_weight_shift - 1), rows_at_once = 4 };

static inline uint8_t clamp(int32_t value) { return value < 0 ? 0 : value > 255 ? 255 : (uint8_t)value; }

// The capacity of the ring buffer in rows. Up to three rows more than an output row needs are resampled at once.
static size_t ring_rows(const nuke_resampling_axis *vertical) { return (size_t)vertical->taps + rows_at_once - 1; }

size_t nuke_resample_scratch(const nuke_resampling_axis *horizontal, const nuke_resampling_axis *vertical) {
  const size_t pointers = (size_t)vertical->taps * sizeof(uint8_t *);
  return horizontal->copies || vertical->copies ? pointers
                                                : pointers + ring_rows(vertical) * (size_t)horizontal->count * 4;
}

void nuke_resample(
  const nuke_kernels *kernels, const nuke_resampling_axis *horizontal, const nuke_resampling_axis *vertical,
  const uint8_t *source, size_t source_stride, uint8_t *destination, size_t destination_stride, void *scratch) {
  const size_t width = (size_t)horizontal->count, bytes = width * 4;
  const int32_t height = vertical->count, taps = vertical->taps;
  const bool straight_through = vertical->copies && !horizontal->copies;
  const uint8_t **rows = scratch;
  uint8_t *const ring = (uint8_t *)(rows + taps);
  const size_t capacity = ring_rows(vertical);
  const int32_t end = vertical->starts[height - 1] + taps;
  int32_t next = 0;

  for (int32_t y = 0; y < height; y++) {
    const int32_t first = vertical->starts[y];
    uint8_t *const output = destination + (size_t)y * destination_stride;
    if (horizontal->copies) {
      const uint8_t *row = source + (size_t)first * source_stride + (size_t)horizontal->starts[0] * 4;
      for (int32_t k = 0; k < taps; k++) rows[k] = row + (size_t)k * source_stride;
    } else {
      if (next < first) next = first;
      while (next < first + taps) {
        const int32_t count = end - next < rows_at_once ? end - next : rows_at_once;
        const uint8_t *sources[rows_at_once];
        uint8_t *made[rows_at_once];
        for (int32_t i = 0; i < count; i++, next++) {
          sources[i] = source + (size_t)next * source_stride;
          made[i] =
            straight_through ? output + (size_t)i * destination_stride : ring + (size_t)next % capacity * bytes;
        }
        kernels->resample_columns(made, sources, count, horizontal);
      }
      // Without resampling down the columns, there is no ring buffer.
      for (int32_t k = 0; k < taps && !straight_through; k++) {
        rows[k] = ring + (size_t)(first + k) % capacity * bytes;
      }
    }
    if (!straight_through)
      kernels->resample_rows(output, rows, bytes, vertical->weights + (size_t)y * (size_t)taps, taps);
    kernels->clamp_to_alpha(output, width);
  }
}

void nuke_resample_rows_scalar(
  uint8_t *d, const uint8_t *const *rows, size_t bytes, const int16_t *weights, int32_t taps) {
  for (size_t i = 0; i < bytes; i++) {
    int32_t sum = half;
    for (int32_t k = 0; k < taps; k++) sum += weights[k] * rows[k][i];
    d[i] = clamp(sum >> nuke_weight_shift);
  }
}

static void columns_scalar(uint8_t *d, const uint8_t *s, const nuke_resampling_axis *axis, int32_t first) {
  for (int32_t x = first; x < axis->count; x++) {
    int32_t sum[4] = {half, half, half, half};
    const uint8_t *p = s + (size_t)axis->starts[x] * 4;
    const int16_t *weights = axis->weights + (size_t)x * (size_t)axis->taps;
    for (int32_t k = 0; k < axis->taps; k++, p += 4) {
      for (int c = 0; c < 4; c++) sum[c] += weights[k] * p[c];
    }
    for (int c = 0; c < 4; c++) d[x * 4 + c] = clamp(sum[c] >> nuke_weight_shift);
  }
}

void nuke_resample_columns_scalar(
  uint8_t *const *d, const uint8_t *const *s, int32_t count, const nuke_resampling_axis *axis) {
  for (int32_t i = 0; i < count; i++) columns_scalar(d[i], s[i], axis, 0);
}

void nuke_clamp_to_alpha_scalar(uint8_t *p, size_t count) {
  for (size_t i = 0; i < count; i++, p += 4) {
    for (int c = 0; c < 3; c++) p[c] = p[c] < p[3] ? p[c] : p[3];
  }
}

#if NUKE_X86

// Returns two weights as the operand of pmaddwd.
static inline int32_t weight_pair(const int16_t *weights) {
  int32_t pair;
  memcpy(&pair, weights, sizeof pair);
  return pair;
}

static inline int32_t single_weight(const int16_t *weights) { return (uint16_t)*weights; }

typedef struct sums_sse41 {
  __m128i v[4];
} sums_sse41;

// Adds 16 bytes of two rows, multiplied by their weights, to the sums.
NUKE_SSE41 static inline sums_sse41 add_rows_sse41(sums_sse41 a, __m128i x, __m128i y, __m128i w) {
  const __m128i zero = _mm_setzero_si128();
  const __m128i low = _mm_unpacklo_epi8(x, y), high = _mm_unpackhi_epi8(x, y);
  a.v[0] = _mm_add_epi32(a.v[0], _mm_madd_epi16(_mm_unpacklo_epi8(low, zero), w));
  a.v[1] = _mm_add_epi32(a.v[1], _mm_madd_epi16(_mm_unpackhi_epi8(low, zero), w));
  a.v[2] = _mm_add_epi32(a.v[2], _mm_madd_epi16(_mm_unpacklo_epi8(high, zero), w));
  a.v[3] = _mm_add_epi32(a.v[3], _mm_madd_epi16(_mm_unpackhi_epi8(high, zero), w));
  return a;
}

NUKE_SSE41 static inline __m128i narrow_sse41(sums_sse41 a) {
  const __m128i low =
    _mm_packs_epi32(_mm_srai_epi32(a.v[0], nuke_weight_shift), _mm_srai_epi32(a.v[1], nuke_weight_shift));
  const __m128i high =
    _mm_packs_epi32(_mm_srai_epi32(a.v[2], nuke_weight_shift), _mm_srai_epi32(a.v[3], nuke_weight_shift));
  return _mm_packus_epi16(low, high);
}

NUKE_SSE41 static inline __m128i load_sse41(const uint8_t *p) { return _mm_loadu_si128((const __m128i *)p); }

NUKE_SSE41 void nuke_resample_rows_sse41(
  uint8_t *d, const uint8_t *const *rows, size_t bytes, const int16_t *weights, int32_t taps) {
  if (bytes < 16) {
    nuke_resample_rows_scalar(d, rows, bytes, weights, taps);
    return;
  }
  const __m128i start = _mm_set1_epi32(half), zero = _mm_setzero_si128();
  for (size_t i = 0; i < bytes; i += 16) {
    // The last block ends at the end of the row, and overlaps the one before.
    if (i + 16 > bytes) i = bytes - 16;
    sums_sse41 sums = {{start, start, start, start}};
    int32_t k = 0;
    for (; k + 2 <= taps; k += 2) {
      const __m128i x = load_sse41(rows[k] + i), y = load_sse41(rows[k + 1] + i);
      sums = add_rows_sse41(sums, x, y, _mm_set1_epi32(weight_pair(weights + k)));
    }
    if (k < taps) {
      sums = add_rows_sse41(sums, load_sse41(rows[k] + i), zero, _mm_set1_epi32(single_weight(weights + k)));
    }
    _mm_storeu_si128((__m128i *)(d + i), narrow_sse41(sums));
  }
}

NUKE_SSE41 static void columns_sse41(uint8_t *d, const uint8_t *s, const nuke_resampling_axis *axis) {
  const __m128i first_pair = _mm_setr_epi8(0, -1, 4, -1, 1, -1, 5, -1, 2, -1, 6, -1, 3, -1, 7, -1);
  const __m128i second_pair = _mm_setr_epi8(8, -1, 12, -1, 9, -1, 13, -1, 10, -1, 14, -1, 11, -1, 15, -1);
  const int32_t taps = axis->taps;
  const int16_t *weights = axis->weights;
  int32_t x = 0;
  for (; x + 4 <= axis->count; x += 4) {
    __m128i sums[4];
    for (int i = 0; i < 4; i++, weights += taps) {
      const uint8_t *p = s + (size_t)axis->starts[x + i] * 4;
      __m128i a = _mm_set1_epi32(half), b = _mm_setzero_si128();
      for (int32_t k = 0; k < taps; k += 4, p += 16) {
        const __m128i v = load_sse41(p);
        const __m128i w = _mm_loadl_epi64((const __m128i *)(weights + k));
        a = _mm_add_epi32(a, _mm_madd_epi16(_mm_shuffle_epi8(v, first_pair), _mm_shuffle_epi32(w, 0x00)));
        b = _mm_add_epi32(b, _mm_madd_epi16(_mm_shuffle_epi8(v, second_pair), _mm_shuffle_epi32(w, 0x55)));
      }
      sums[i] = _mm_srai_epi32(_mm_add_epi32(a, b), nuke_weight_shift);
    }
    const __m128i v = _mm_packus_epi16(_mm_packs_epi32(sums[0], sums[1]), _mm_packs_epi32(sums[2], sums[3]));
    _mm_storeu_si128((__m128i *)(d + x * 4), v);
  }
  columns_scalar(d, s, axis, x);
}

NUKE_SSE41 void nuke_resample_columns_sse41(
  uint8_t *const *d, const uint8_t *const *s, int32_t count, const nuke_resampling_axis *axis) {
  for (int32_t i = 0; i < count; i++) columns_sse41(d[i], s[i], axis);
}

NUKE_SSE41 void nuke_clamp_to_alpha_sse41(uint8_t *p, size_t count) {
  const __m128i alpha_bytes = _mm_setr_epi8(3, 3, 3, 3, 7, 7, 7, 7, 11, 11, 11, 11, 15, 15, 15, 15);
  size_t i = 0;
  for (; i + 4 <= count; i += 4) {
    const __m128i v = load_sse41(p + i * 4);
    _mm_storeu_si128((__m128i *)(p + i * 4), _mm_min_epu8(v, _mm_shuffle_epi8(v, alpha_bytes)));
  }
  nuke_clamp_to_alpha_scalar(p + i * 4, count - i);
}

typedef struct sums_avx2 {
  __m256i v[4];
} sums_avx2;

NUKE_AVX2 static inline sums_avx2 add_rows_avx2(sums_avx2 a, __m256i x, __m256i y, __m256i w) {
  const __m256i zero = _mm256_setzero_si256();
  const __m256i low = _mm256_unpacklo_epi8(x, y), high = _mm256_unpackhi_epi8(x, y);
  a.v[0] = _mm256_add_epi32(a.v[0], _mm256_madd_epi16(_mm256_unpacklo_epi8(low, zero), w));
  a.v[1] = _mm256_add_epi32(a.v[1], _mm256_madd_epi16(_mm256_unpackhi_epi8(low, zero), w));
  a.v[2] = _mm256_add_epi32(a.v[2], _mm256_madd_epi16(_mm256_unpacklo_epi8(high, zero), w));
  a.v[3] = _mm256_add_epi32(a.v[3], _mm256_madd_epi16(_mm256_unpackhi_epi8(high, zero), w));
  return a;
}

// Unpacking and packing both work within 128 bits, so that the order of the bytes is preserved.
NUKE_AVX2 static inline __m256i narrow_avx2(sums_avx2 a) {
  const __m256i low =
    _mm256_packs_epi32(_mm256_srai_epi32(a.v[0], nuke_weight_shift), _mm256_srai_epi32(a.v[1], nuke_weight_shift));
  const __m256i high =
    _mm256_packs_epi32(_mm256_srai_epi32(a.v[2], nuke_weight_shift), _mm256_srai_epi32(a.v[3], nuke_weight_shift));
  return _mm256_packus_epi16(low, high);
}

NUKE_AVX2 static inline __m256i load_avx2(const uint8_t *p) { return _mm256_loadu_si256((const __m256i *)p); }

NUKE_AVX2 void nuke_resample_rows_avx2(
  uint8_t *d, const uint8_t *const *rows, size_t bytes, const int16_t *weights, int32_t taps) {
  if (bytes < 64) {
    nuke_resample_rows_sse41(d, rows, bytes, weights, taps);
    return;
  }
  const __m256i start = _mm256_set1_epi32(half), zero = _mm256_setzero_si256();
  // One cache line of each row at a time.
  for (size_t i = 0; i < bytes; i += 64) {
    if (i + 64 > bytes) i = bytes - 64;
    sums_avx2 left = {{start, start, start, start}}, right = left;
    int32_t k = 0;
    for (; k + 2 <= taps; k += 2) {
      const __m256i w = _mm256_set1_epi32(weight_pair(weights + k));
      const uint8_t *x = rows[k] + i, *y = rows[k + 1] + i;
      left = add_rows_avx2(left, load_avx2(x), load_avx2(y), w);
      right = add_rows_avx2(right, load_avx2(x + 32), load_avx2(y + 32), w);
    }
    if (k < taps) {
      const __m256i w = _mm256_set1_epi32(single_weight(weights + k));
      left = add_rows_avx2(left, load_avx2(rows[k] + i), zero, w);
      right = add_rows_avx2(right, load_avx2(rows[k] + i + 32), zero, w);
    }
    _mm256_storeu_si256((__m256i *)(d + i), narrow_avx2(left));
    _mm256_storeu_si256((__m256i *)(d + i + 32), narrow_avx2(right));
  }
}

// Two rows at a time, one in each half of a register, with the same weights.
NUKE_AVX2 static void columns_avx2(
  uint8_t *const d[2], const uint8_t *const s[2], const nuke_resampling_axis *axis) {
  const __m256i first_pair =
    _mm256_broadcastsi128_si256(_mm_setr_epi8(0, -1, 4, -1, 1, -1, 5, -1, 2, -1, 6, -1, 3, -1, 7, -1));
  const __m256i second_pair =
    _mm256_broadcastsi128_si256(_mm_setr_epi8(8, -1, 12, -1, 9, -1, 13, -1, 10, -1, 14, -1, 11, -1, 15, -1));
  const int32_t taps = axis->taps;
  const int16_t *weights = axis->weights;
  int32_t x = 0;
  for (; x + 4 <= axis->count; x += 4) {
    __m256i sums[4];
    for (int i = 0; i < 4; i++, weights += taps) {
      const size_t offset = (size_t)axis->starts[x + i] * 4;
      const uint8_t *upper = s[0] + offset, *lower = s[1] + offset;
      __m256i a = _mm256_set1_epi32(half), b = _mm256_setzero_si256();
      for (int32_t k = 0; k < taps; k += 4, upper += 16, lower += 16) {
        const __m256i v = _mm256_loadu2_m128i((const __m128i *)lower, (const __m128i *)upper);
        const __m256i w = _mm256_set1_epi32(weight_pair(weights + k));
        const __m256i w2 = _mm256_set1_epi32(weight_pair(weights + k + 2));
        a = _mm256_add_epi32(a, _mm256_madd_epi16(_mm256_shuffle_epi8(v, first_pair), w));
        b = _mm256_add_epi32(b, _mm256_madd_epi16(_mm256_shuffle_epi8(v, second_pair), w2));
      }
      sums[i] = _mm256_srai_epi32(_mm256_add_epi32(a, b), nuke_weight_shift);
    }
    const __m256i v = _mm256_packus_epi16(_mm256_packs_epi32(sums[0], sums[1]), _mm256_packs_epi32(sums[2], sums[3]));
    _mm256_storeu2_m128i((__m128i *)(d[1] + x * 4), (__m128i *)(d[0] + x * 4), v);
  }
  columns_scalar(d[0], s[0], axis, x);
  columns_scalar(d[1], s[1], axis, x);
}

NUKE_AVX2 void nuke_resample_columns_avx2(
  uint8_t *const *d, const uint8_t *const *s, int32_t count, const nuke_resampling_axis *axis) {
  int32_t i = 0;
  for (; i + 2 <= count; i += 2) columns_avx2(d + i, s + i, axis);
  if (i < count) columns_sse41(d[i], s[i], axis);
}

NUKE_AVX2 void nuke_clamp_to_alpha_avx2(uint8_t *p, size_t count) {
  const __m256i alpha_bytes =
    _mm256_broadcastsi128_si256(_mm_setr_epi8(3, 3, 3, 3, 7, 7, 7, 7, 11, 11, 11, 11, 15, 15, 15, 15));
  size_t i = 0;
  for (; i + 8 <= count; i += 8) {
    const __m256i v = load_avx2(p + i * 4);
    _mm256_storeu_si256((__m256i *)(p + i * 4), _mm256_min_epu8(v, _mm256_shuffle_epi8(v, alpha_bytes)));
  }
  nuke_clamp_to_alpha_scalar(p + i * 4, count - i);
}

NUKE_AVX512 static inline __m512i load_avx512(const uint8_t *p) { return _mm512_loadu_si512((const void *)p); }

// With VNNI, one instruction multiplies pairs and adds them to a sum.
NUKE_AVX512 void nuke_resample_rows_avx512(
  uint8_t *d, const uint8_t *const *rows, size_t bytes, const int16_t *weights, int32_t taps) {
  if (bytes < 64) {
    nuke_resample_rows_sse41(d, rows, bytes, weights, taps);
    return;
  }
  const __m512i start = _mm512_set1_epi32(half), zero = _mm512_setzero_si512();
  for (size_t i = 0; i < bytes; i += 64) {
    if (i + 64 > bytes) i = bytes - 64;
    __m512i a = start, b = start, c = start, e = start;
    for (int32_t k = 0; k < taps; k += 2) {
      const bool pair = k + 1 < taps;
      const __m512i w = _mm512_set1_epi32(pair ? weight_pair(weights + k) : single_weight(weights + k));
      const __m512i x = load_avx512(rows[k] + i), y = pair ? load_avx512(rows[k + 1] + i) : zero;
      const __m512i low = _mm512_unpacklo_epi8(x, y), high = _mm512_unpackhi_epi8(x, y);
      a = _mm512_dpwssd_epi32(a, _mm512_unpacklo_epi8(low, zero), w);
      b = _mm512_dpwssd_epi32(b, _mm512_unpackhi_epi8(low, zero), w);
      c = _mm512_dpwssd_epi32(c, _mm512_unpacklo_epi8(high, zero), w);
      e = _mm512_dpwssd_epi32(e, _mm512_unpackhi_epi8(high, zero), w);
    }
    a = _mm512_packs_epi32(_mm512_srai_epi32(a, nuke_weight_shift), _mm512_srai_epi32(b, nuke_weight_shift));
    c = _mm512_packs_epi32(_mm512_srai_epi32(c, nuke_weight_shift), _mm512_srai_epi32(e, nuke_weight_shift));
    _mm512_storeu_si512((void *)(d + i), _mm512_packus_epi16(a, c));
  }
}

// Four rows at a time, one in each quarter of a register.
NUKE_AVX512 void nuke_resample_columns_avx512(
  uint8_t *const *d, const uint8_t *const *s, int32_t count, const nuke_resampling_axis *axis) {
  if (count < 4) {
    nuke_resample_columns_avx2(d, s, count, axis);
    return;
  }
  const __m512i first_pair =
    _mm512_broadcast_i32x4(_mm_setr_epi8(0, -1, 4, -1, 1, -1, 5, -1, 2, -1, 6, -1, 3, -1, 7, -1));
  const __m512i second_pair =
    _mm512_broadcast_i32x4(_mm_setr_epi8(8, -1, 12, -1, 9, -1, 13, -1, 10, -1, 14, -1, 11, -1, 15, -1));
  const int32_t taps = axis->taps;
  const int16_t *weights = axis->weights;
  int32_t x = 0;
  for (; x + 4 <= axis->count; x += 4) {
    __m512i sums[4];
    for (int i = 0; i < 4; i++, weights += taps) {
      const size_t offset = (size_t)axis->starts[x + i] * 4;
      const uint8_t *p0 = s[0] + offset, *p1 = s[1] + offset, *p2 = s[2] + offset, *p3 = s[3] + offset;
      __m512i a = _mm512_set1_epi32(half), b = _mm512_setzero_si512();
      for (int32_t k = 0; k < taps; k += 4, p0 += 16, p1 += 16, p2 += 16, p3 += 16) {
        const __m256i upper = _mm256_loadu2_m128i((const __m128i *)p1, (const __m128i *)p0);
        const __m256i lower = _mm256_loadu2_m128i((const __m128i *)p3, (const __m128i *)p2);
        const __m512i v = _mm512_inserti64x4(_mm512_castsi256_si512(upper), lower, 1);
        const __m512i w = _mm512_set1_epi32(weight_pair(weights + k));
        const __m512i w2 = _mm512_set1_epi32(weight_pair(weights + k + 2));
        a = _mm512_dpwssd_epi32(a, _mm512_shuffle_epi8(v, first_pair), w);
        b = _mm512_dpwssd_epi32(b, _mm512_shuffle_epi8(v, second_pair), w2);
      }
      sums[i] = _mm512_srai_epi32(_mm512_add_epi32(a, b), nuke_weight_shift);
    }
    const __m512i v = _mm512_packus_epi16(_mm512_packs_epi32(sums[0], sums[1]), _mm512_packs_epi32(sums[2], sums[3]));
    _mm_storeu_si128((__m128i *)(d[0] + x * 4), _mm512_castsi512_si128(v));
    _mm_storeu_si128((__m128i *)(d[1] + x * 4), _mm512_extracti32x4_epi32(v, 1));
    _mm_storeu_si128((__m128i *)(d[2] + x * 4), _mm512_extracti32x4_epi32(v, 2));
    _mm_storeu_si128((__m128i *)(d[3] + x * 4), _mm512_extracti32x4_epi32(v, 3));
  }
  for (int i = 0; i < 4; i++) columns_scalar(d[i], s[i], axis, x);
}

#elif NUKE_NEON

static inline uint8x8_t narrow_neon(int32x4_t low, int32x4_t high) {
  const int16x4_t first = vqmovn_s32(vshrq_n_s32(low, nuke_weight_shift));
  return vqmovun_s16(vcombine_s16(first, vqmovn_s32(vshrq_n_s32(high, nuke_weight_shift))));
}

static inline int16x8_t widen_neon(uint8x8_t v) { return vreinterpretq_s16_u16(vmovl_u8(v)); }

void nuke_resample_rows_neon(
  uint8_t *d, const uint8_t *const *rows, size_t bytes, const int16_t *weights, int32_t taps) {
  if (bytes < 16) {
    nuke_resample_rows_scalar(d, rows, bytes, weights, taps);
    return;
  }
  for (size_t i = 0; i < bytes; i += 16) {
    if (i + 16 > bytes) i = bytes - 16;
    int32x4_t a = vdupq_n_s32(half), b = a, c = a, e = a;
    for (int32_t k = 0; k < taps; k++) {
      const uint8x16_t v = vld1q_u8(rows[k] + i);
      const int16x8_t low = widen_neon(vget_low_u8(v)), high = widen_neon(vget_high_u8(v));
      a = vmlal_n_s16(a, vget_low_s16(low), weights[k]);
      b = vmlal_n_s16(b, vget_high_s16(low), weights[k]);
      c = vmlal_n_s16(c, vget_low_s16(high), weights[k]);
      e = vmlal_n_s16(e, vget_high_s16(high), weights[k]);
    }
    vst1q_u8(d + i, vcombine_u8(narrow_neon(a, b), narrow_neon(c, e)));
  }
}

static inline int32x4_t column_neon(const uint8_t *p, const int16_t *weights, int32_t taps) {
  int32x4_t a = vdupq_n_s32(half), b = vdupq_n_s32(0);
  for (int32_t k = 0; k < taps; k += 4, p += 16) {
    const uint8x16_t v = vld1q_u8(p);
    const int16x4_t w = vld1_s16(weights + k);
    const int16x8_t low = widen_neon(vget_low_u8(v)), high = widen_neon(vget_high_u8(v));
    a = vmlal_lane_s16(a, vget_low_s16(low), w, 0);
    b = vmlal_lane_s16(b, vget_high_s16(low), w, 1);
    a = vmlal_lane_s16(a, vget_low_s16(high), w, 2);
    b = vmlal_lane_s16(b, vget_high_s16(high), w, 3);
  }
  return vaddq_s32(a, b);
}

static void columns_neon(uint8_t *d, const uint8_t *s, const nuke_resampling_axis *axis) {
  const int32_t taps = axis->taps;
  int32_t x = 0;
  for (; x + 2 <= axis->count; x += 2) {
    const int16_t *weights = axis->weights + (size_t)x * (size_t)taps;
    const int32x4_t first = column_neon(s + (size_t)axis->starts[x] * 4, weights, taps);
    const int32x4_t second = column_neon(s + (size_t)axis->starts[x + 1] * 4, weights + taps, taps);
    const uint8x8_t v = narrow_neon(first, second);
    vst1_u8(d + x * 4, v);
  }
  columns_scalar(d, s, axis, x);
}

void nuke_resample_columns_neon(
  uint8_t *const *d, const uint8_t *const *s, int32_t count, const nuke_resampling_axis *axis) {
  for (int32_t i = 0; i < count; i++) columns_neon(d[i], s[i], axis);
}

void nuke_clamp_to_alpha_neon(uint8_t *p, size_t count) {
  size_t i = 0;
  for (; i + 16 <= count; i += 16) {
    uint8x16x4_t v = vld4q_u8(p + i * 4);
    for (int c = 0; c < 3; c++) v.val[c] = vminq_u8(v.val[c], v.val[3]);
    vst4q_u8(p + i * 4, v);
  }
  nuke_clamp_to_alpha_scalar(p + i * 4, count - i);
}

#endif
