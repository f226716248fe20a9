#include "kernels.h"

#include <string.h>

// Resampling in linear light, with components of 15 bits, so that pmaddwd multiplies them by weights. The smallest step
// of sRGB, next to black, is ten steps of linear light. Sums are less than 2^30 for the reason given in resample.c, and
// do not depend on their order.

// No fused operations: all processors must give the same floating-point results.
#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#elif defined(__GNUC__)
#pragma GCC optimize("fp-contract=off")
#endif

enum { half = 1 << (nuke_weight_shift - 1), rows_at_once = 4, channels = 4 };

static inline int16_t clamp(int32_t value) {
  return value < 0 ? 0 : value > nuke_light_one ? nuke_light_one : (int16_t)value;
}

// The pixels of a source row that have a weight.
typedef struct span {
  size_t first, count;
} span;

static span used_pixels(const nuke_resampling_axis *axis) {
  const size_t first = (size_t)axis->starts[0];
  return (span){first, (size_t)axis->starts[axis->count - 1] + (size_t)axis->taps - first};
}

static size_t ring_rows(const nuke_resampling_axis *vertical) { return (size_t)vertical->taps + rows_at_once - 1; }

size_t nuke_resample_linear_scratch(const nuke_resampling_axis *horizontal, const nuke_resampling_axis *vertical) {
  const size_t row = (size_t)horizontal->count * channels * sizeof(int16_t);
  const size_t source = used_pixels(horizontal).count * channels * sizeof(int16_t);
  return (size_t)vertical->taps * sizeof(int16_t *) + (ring_rows(vertical) + 1) * row + rows_at_once * source;
}

static void decode(nuke_light_tables tables, bool opaque, int16_t *restrict d, const uint8_t *s, size_t count) {
  if (opaque) {
    for (size_t i = 0; i < count; i++, d += channels, s += 4) {
      for (int c = 0; c < 3; c++) d[c] = tables.linear[s[c]];
      d[3] = nuke_light_one;
    }
    return;
  }
  for (size_t i = 0; i < count; i++, d += channels, s += 4) {
    const int alpha = s[3];
    // Most pixels of most images are opaque.
    if (alpha == 255) {
      for (int c = 0; c < 3; c++) d[c] = tables.linear[s[c]];
      d[3] = nuke_light_one;
      continue;
    }
    const float factor = alpha > 0 ? 255.0f / (float)alpha : 0;
    for (int c = 0; c < 3; c++) {
      // The color without alpha is between two bytes: interpolate.
      const float position = (float)(s[c] < alpha ? s[c] : alpha) * factor;
      const int entry = position < 254 ? (int)position : 254;
      const float low = tables.linear[entry], high = tables.linear[entry + 1];
      const float light = low + (high - low) * (position - (float)entry);
      d[c] = (int16_t)(light * (float)alpha / 255 + 0.5f);
    }
    d[3] = (int16_t)((nuke_light_one * alpha + 127) / 255);
  }
}

static void encode(nuke_light_tables tables, uint8_t *d, const int16_t *s, size_t count) {
  for (size_t i = 0; i < count; i++, d += 4, s += channels) {
    const int32_t alpha = s[3];
    if (alpha == nuke_light_one) {
      for (int c = 0; c < 3; c++) d[c] = (uint8_t)((tables.encoded[s[c]] + 128) >> 8);
      d[3] = 255;
      continue;
    }
    const float factor = (float)nuke_light_one / (float)(alpha > 0 ? alpha : 1);
    for (int c = 0; c < 3; c++) {
      // Next to an edge, a filter with negative weights may give more color than alpha.
      const int32_t color = s[c] < alpha ? s[c] : alpha;
      const int32_t light = (int32_t)((float)color * factor + 0.5f);
      const uint32_t product = (uint32_t)tables.encoded[light] * (uint32_t)alpha;
      d[c] = (uint8_t)((product + nuke_light_one * 128) / (nuke_light_one * 256));
    }
    d[3] = (uint8_t)((255 * alpha + nuke_light_one / 2) / nuke_light_one);
  }
}

void nuke_resample_linear(
  const nuke_kernels *kernels, nuke_light_tables tables, bool opaque, const nuke_resampling_axis *horizontal,
  const nuke_resampling_axis *vertical, const uint8_t *source, size_t source_stride, uint8_t *destination,
  size_t destination_stride, void *scratch) {
  const size_t width = (size_t)horizontal->count, row = width * channels;
  const int32_t height = vertical->count, taps = vertical->taps;
  const span used = used_pixels(horizontal);
  const size_t capacity = ring_rows(vertical);
  const int16_t **rows = scratch;
  int16_t *const ring = (int16_t *)(rows + taps), *const mixed = ring + capacity * row, *const lines = mixed + row;
  const int32_t end = vertical->starts[height - 1] + taps;
  int32_t next = 0;

  for (int32_t y = 0; y < height; y++) {
    const int32_t first = vertical->starts[y];
    if (next < first) next = first;
    while (next < first + taps) {
      const int32_t count = end - next < rows_at_once ? end - next : rows_at_once;
      const int16_t *sources[rows_at_once];
      int16_t *made[rows_at_once];
      for (int32_t i = 0; i < count; i++, next++) {
        made[i] = ring + (size_t)next % capacity * row;
        int16_t *const line = horizontal->copies ? made[i] : lines + (size_t)i * used.count * channels;
        const uint8_t *const pixels = source + (size_t)next * source_stride + used.first * 4;
        decode(tables, opaque, line, pixels, used.count);
        sources[i] = line;
      }
      if (!horizontal->copies) kernels->resample_light_columns(made, sources, count, horizontal);
    }
    for (int32_t k = 0; k < taps; k++) rows[k] = ring + (size_t)(first + k) % capacity * row;
    kernels->resample_light_rows(mixed, rows, row, vertical->weights + (size_t)y * (size_t)taps, taps);
    encode(tables, destination + (size_t)y * destination_stride, mixed, width);
  }
}

static void rows_scalar(
  int16_t *d, const int16_t *const *rows, size_t first, size_t count, const int16_t *weights, int32_t taps) {
  for (size_t i = first; i < count; i++) {
    int32_t sum = half;
    for (int32_t k = 0; k < taps; k++) sum += weights[k] * rows[k][i];
    d[i] = clamp(sum >> nuke_weight_shift);
  }
}

void nuke_resample_light_rows_scalar(
  int16_t *d, const int16_t *const *rows, size_t count, const int16_t *weights, int32_t taps) {
  rows_scalar(d, rows, 0, count, weights, taps);
}

static void columns_scalar(int16_t *d, const int16_t *s, const nuke_resampling_axis *axis, int32_t first) {
  for (int32_t x = first; x < axis->count; x++) {
    int32_t sum[4] = {half, half, half, half};
    const int16_t *p = s + (size_t)(axis->starts[x] - axis->starts[0]) * channels;
    const int16_t *weights = axis->weights + (size_t)x * (size_t)axis->taps;
    for (int32_t k = 0; k < axis->taps; k++, p += channels) {
      for (int c = 0; c < 4; c++) sum[c] += weights[k] * p[c];
    }
    for (int c = 0; c < 4; c++) d[x * channels + c] = clamp(sum[c] >> nuke_weight_shift);
  }
}

void nuke_resample_light_columns_scalar(
  int16_t *const *d, const int16_t *const *s, int32_t count, const nuke_resampling_axis *axis) {
  for (int32_t i = 0; i < count; i++) columns_scalar(d[i], s[i], axis, 0);
}

#if NUKE_X86

// Returns two weights as the operand of pmaddwd.
static inline int32_t weight_pair(const int16_t *weights) {
  int32_t pair;
  memcpy(&pair, weights, sizeof pair);
  return pair;
}

static inline int32_t single_weight(const int16_t *weights) { return (uint16_t)*weights; }

NUKE_SSE41 static inline __m128i load_sse41(const int16_t *p) { return _mm_loadu_si128((const __m128i *)p); }

NUKE_SSE41 static inline __m128i narrow_sse41(__m128i a, __m128i b) {
  const __m128i v = _mm_packs_epi32(_mm_srai_epi32(a, nuke_weight_shift), _mm_srai_epi32(b, nuke_weight_shift));
  return _mm_max_epi16(v, _mm_setzero_si128());
}

NUKE_SSE41 void nuke_resample_light_rows_sse41(
  int16_t *d, const int16_t *const *rows, size_t count, const int16_t *weights, int32_t taps) {
  const __m128i zero = _mm_setzero_si128();
  size_t i = 0;
  for (; i + 8 <= count; i += 8) {
    __m128i a = _mm_set1_epi32(half), b = a;
    for (int32_t k = 0; k < taps; k += 2) {
      const bool pair = k + 1 < taps;
      const __m128i w = _mm_set1_epi32(pair ? weight_pair(weights + k) : single_weight(weights + k));
      const __m128i x = load_sse41(rows[k] + i), y = pair ? load_sse41(rows[k + 1] + i) : zero;
      a = _mm_add_epi32(a, _mm_madd_epi16(_mm_unpacklo_epi16(x, y), w));
      b = _mm_add_epi32(b, _mm_madd_epi16(_mm_unpackhi_epi16(x, y), w));
    }
    _mm_storeu_si128((__m128i *)(d + i), narrow_sse41(a, b));
  }
  rows_scalar(d, rows, i, count, weights, taps);
}

NUKE_SSE41 static void columns_sse41(int16_t *d, const int16_t *s, const nuke_resampling_axis *axis) {
  const __m128i pair = _mm_setr_epi8(0, 1, 8, 9, 2, 3, 10, 11, 4, 5, 12, 13, 6, 7, 14, 15);
  const int32_t taps = axis->taps;
  const int16_t *weights = axis->weights;
  int32_t x = 0;
  for (; x + 2 <= axis->count; x += 2) {
    __m128i sums[2];
    for (int i = 0; i < 2; i++, weights += taps) {
      const int16_t *p = s + (size_t)(axis->starts[x + i] - axis->starts[0]) * channels;
      __m128i sum = _mm_set1_epi32(half);
      for (int32_t k = 0; k < taps; k += 2, p += 8) {
        const __m128i w = _mm_set1_epi32(weight_pair(weights + k));
        sum = _mm_add_epi32(sum, _mm_madd_epi16(_mm_shuffle_epi8(load_sse41(p), pair), w));
      }
      sums[i] = sum;
    }
    _mm_storeu_si128((__m128i *)(d + x * channels), narrow_sse41(sums[0], sums[1]));
  }
  columns_scalar(d, s, axis, x);
}

NUKE_SSE41 void nuke_resample_light_columns_sse41(
  int16_t *const *d, const int16_t *const *s, int32_t count, const nuke_resampling_axis *axis) {
  for (int32_t i = 0; i < count; i++) columns_sse41(d[i], s[i], axis);
}

NUKE_AVX2 static inline __m256i load_avx2(const int16_t *p) { return _mm256_loadu_si256((const __m256i *)p); }

NUKE_AVX2 static inline __m256i narrow_avx2(__m256i a, __m256i b) {
  const __m256i v =
    _mm256_packs_epi32(_mm256_srai_epi32(a, nuke_weight_shift), _mm256_srai_epi32(b, nuke_weight_shift));
  return _mm256_max_epi16(v, _mm256_setzero_si256());
}

// Unpacking and packing both work within 128 bits, so that the order of the components is preserved.
NUKE_AVX2 void nuke_resample_light_rows_avx2(
  int16_t *d, const int16_t *const *rows, size_t count, const int16_t *weights, int32_t taps) {
  const __m256i zero = _mm256_setzero_si256();
  size_t i = 0;
  for (; i + 16 <= count; i += 16) {
    __m256i a = _mm256_set1_epi32(half), b = a;
    for (int32_t k = 0; k < taps; k += 2) {
      const bool pair = k + 1 < taps;
      const __m256i w = _mm256_set1_epi32(pair ? weight_pair(weights + k) : single_weight(weights + k));
      const __m256i x = load_avx2(rows[k] + i), y = pair ? load_avx2(rows[k + 1] + i) : zero;
      a = _mm256_add_epi32(a, _mm256_madd_epi16(_mm256_unpacklo_epi16(x, y), w));
      b = _mm256_add_epi32(b, _mm256_madd_epi16(_mm256_unpackhi_epi16(x, y), w));
    }
    _mm256_storeu_si256((__m256i *)(d + i), narrow_avx2(a, b));
  }
  rows_scalar(d, rows, i, count, weights, taps);
}

// Two rows at a time, one in each half of a register, with the same weights.
NUKE_AVX2 static void columns_avx2(
  int16_t *const d[2], const int16_t *const s[2], const nuke_resampling_axis *axis) {
  const __m256i pair =
    _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 1, 8, 9, 2, 3, 10, 11, 4, 5, 12, 13, 6, 7, 14, 15));
  const int32_t taps = axis->taps;
  const int16_t *weights = axis->weights;
  int32_t x = 0;
  for (; x + 2 <= axis->count; x += 2) {
    __m256i sums[2];
    for (int i = 0; i < 2; i++, weights += taps) {
      const size_t offset = (size_t)(axis->starts[x + i] - axis->starts[0]) * channels;
      const int16_t *upper = s[0] + offset, *lower = s[1] + offset;
      __m256i sum = _mm256_set1_epi32(half);
      for (int32_t k = 0; k < taps; k += 2, upper += 8, lower += 8) {
        const __m256i v = _mm256_loadu2_m128i((const __m128i *)lower, (const __m128i *)upper);
        const __m256i w = _mm256_set1_epi32(weight_pair(weights + k));
        sum = _mm256_add_epi32(sum, _mm256_madd_epi16(_mm256_shuffle_epi8(v, pair), w));
      }
      sums[i] = sum;
    }
    const __m256i v = narrow_avx2(sums[0], sums[1]);
    _mm256_storeu2_m128i((__m128i *)(d[1] + x * channels), (__m128i *)(d[0] + x * channels), v);
  }
  columns_scalar(d[0], s[0], axis, x);
  columns_scalar(d[1], s[1], axis, x);
}

NUKE_AVX2 void nuke_resample_light_columns_avx2(
  int16_t *const *d, const int16_t *const *s, int32_t count, const nuke_resampling_axis *axis) {
  int32_t i = 0;
  for (; i + 2 <= count; i += 2) columns_avx2(d + i, s + i, axis);
  if (i < count) columns_sse41(d[i], s[i], axis);
}

#elif NUKE_NEON

static inline int16x4_t narrow_neon(int32x4_t sum) {
  return vmax_s16(vqmovn_s32(vshrq_n_s32(sum, nuke_weight_shift)), vdup_n_s16(0));
}

void nuke_resample_light_rows_neon(
  int16_t *d, const int16_t *const *rows, size_t count, const int16_t *weights, int32_t taps) {
  size_t i = 0;
  for (; i + 8 <= count; i += 8) {
    int32x4_t a = vdupq_n_s32(half), b = a;
    for (int32_t k = 0; k < taps; k++) {
      const int16x8_t v = vld1q_s16(rows[k] + i);
      a = vmlal_n_s16(a, vget_low_s16(v), weights[k]);
      b = vmlal_n_s16(b, vget_high_s16(v), weights[k]);
    }
    vst1q_s16(d + i, vcombine_s16(narrow_neon(a), narrow_neon(b)));
  }
  rows_scalar(d, rows, i, count, weights, taps);
}

static void columns_neon(int16_t *d, const int16_t *s, const nuke_resampling_axis *axis) {
  const int32_t taps = axis->taps;
  const int16_t *weights = axis->weights;
  for (int32_t x = 0; x < axis->count; x++) {
    const int16_t *p = s + (size_t)(axis->starts[x] - axis->starts[0]) * channels;
    int32x4_t a = vdupq_n_s32(half), b = vdupq_n_s32(0);
    for (int32_t k = 0; k < taps; k += 4, p += 16, weights += 4) {
      const int16x4_t w = vld1_s16(weights);
      a = vmlal_lane_s16(a, vld1_s16(p), w, 0);
      b = vmlal_lane_s16(b, vld1_s16(p + 4), w, 1);
      a = vmlal_lane_s16(a, vld1_s16(p + 8), w, 2);
      b = vmlal_lane_s16(b, vld1_s16(p + 12), w, 3);
    }
    vst1_s16(d + x * channels, narrow_neon(vaddq_s32(a, b)));
  }
}

void nuke_resample_light_columns_neon(
  int16_t *const *d, const int16_t *const *s, int32_t count, const nuke_resampling_axis *axis) {
  for (int32_t i = 0; i < count; i++) columns_neon(d[i], s[i], axis);
}

#endif
