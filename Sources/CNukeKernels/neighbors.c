#include "kernels.h"

#include <string.h>

// Only operations that IEEE 754 defines to the last bit, and no fused ones: so every variant gives the same.
#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#elif defined(__GNUC__)
#pragma GCC optimize("fp-contract=off", "tree-vectorize")
#endif

#define INLINE static inline __attribute__((always_inline))

// The four channels of a pixel.
typedef uint8_t bytes4 __attribute__((vector_size(4)));
typedef float floats4 __attribute__((vector_size(16)));
typedef int32_t ints4 __attribute__((vector_size(16)));
typedef uint32_t sums4 __attribute__((vector_size(16)));

INLINE floats4 pixel(const nuke_sampled_image *p, int32_t x, int32_t y) {
  bytes4 bytes;
  memcpy(&bytes, p->pixels + ((size_t)y * (size_t)p->width + (size_t)x) * 4, 4);
  return __builtin_convertvector(bytes, floats4);
}

// A pixel beside the last one, which counts as that or as nothing.
INLINE floats4 pixel_at_edge(const nuke_sampled_image *p, int32_t x, int32_t y) {
  const bool inside = x >= 0 && y >= 0 && x < p->width && y < p->height;
  if (!inside && p->ends) return (floats4){0, 0, 0, 0};
  const int32_t right = p->width - 1, bottom = p->height - 1;
  return pixel(p, x < 0 ? 0 : x > right ? right : x, y < 0 ? 0 : y > bottom ? bottom : y);
}

INLINE float within(float x, float high) { return x > 0 ? (x < high ? x : high) : 0; }

INLINE void sample_body(uint8_t *d, const nuke_sampled_image *p, const float *x, const float *y, size_t count) {
  const float right = (float)(p->width - 1), bottom = (float)(p->height - 1);
  for (size_t i = 0; i < count; i++, d += 4) {
    float u = x[i] - 0.5f, v = y[i] - 0.5f;
    const bool reached = p->ends ? u > -1 && v > -1 && u < right + 1 && v < bottom + 1 : u == u && v == v;
    if (!reached) {
      memset(d, 0, 4);
      continue;
    }
    if (!p->ends) {
      u = within(u, right);
      v = within(v, bottom);
    }
    const int32_t left = u < 0 ? -1 : (int32_t)u, top = v < 0 ? -1 : (int32_t)v;
    floats4 a, b, c, e;
    if (left >= 0 && top >= 0 && left + 1 < p->width && top + 1 < p->height) {
      a = pixel(p, left, top);
      b = pixel(p, left + 1, top);
      c = pixel(p, left, top + 1);
      e = pixel(p, left + 1, top + 1);
    } else {
      a = pixel_at_edge(p, left, top);
      b = pixel_at_edge(p, left + 1, top);
      c = pixel_at_edge(p, left, top + 1);
      e = pixel_at_edge(p, left + 1, top + 1);
    }
    const float across = u - (float)left, down = v - (float)top;
    const floats4 upper = a + (b - a) * across, lower = c + (e - c) * across;
    const ints4 value = __builtin_convertvector(upper + (lower - upper) * down + 0.5f, ints4);
    // However sums were rounded, color stays within alpha.
    const int32_t alpha = value[3];
    const ints4 limit = {alpha, alpha, alpha, alpha}, above = value > limit;
    const bytes4 bytes = __builtin_convertvector((limit & above) | (value & ~above), bytes4);
    memcpy(d, &bytes, 4);
  }
}

enum { block = 64 };

INLINE void weigh_block(
  uint8_t *d, const uint8_t *const *rows, const float *weights, size_t count, float bias, size_t start, size_t bytes) {
  float sums[block];
  for (size_t i = 0; i < bytes; i++) sums[i] = bias;
  for (size_t k = 0; k < count; k++) {
    const uint8_t *row = rows[k] + start;
    const float weight = weights[k];
    for (size_t i = 0; i < bytes; i++) sums[i] += weight * (float)row[i];
  }
  for (size_t i = 0; i < bytes; i++) d[start + i] = (uint8_t)(int)(within(sums[i], 255) + 0.5f);
}

INLINE void weigh_body(
  uint8_t *d, const uint8_t *const *rows, const float *weights, size_t count, float bias, size_t bytes) {
  size_t start = 0;
  for (; start + block <= bytes; start += block) weigh_block(d, rows, weights, count, bias, start, block);
  weigh_block(d, rows, weights, count, bias, start, bytes - start);
}

INLINE uint8_t least(uint8_t a, uint8_t b) { return a < b ? a : b; }
INLINE uint8_t most(uint8_t a, uint8_t b) { return a > b ? a : b; }

INLINE uint8_t middle(uint8_t a, uint8_t b, uint8_t c) { return most(least(a, b), least(most(a, b), c)); }

INLINE void median_body(uint8_t *restrict d, const uint8_t *const *rows, size_t bytes) {
  // Beginning with the pixels to the left.
  const uint8_t *p = rows[0] - 4, *q = rows[1] - 4, *r = rows[2] - 4;
  for (size_t i = 0; i < bytes; i++) {
    // Of three columns, each in order: the largest of the lows, the middle of the mids and the smallest of the highs have
    // the median in their middle.
    uint8_t low = 0, high = 255, mids[3];
    for (int k = 0; k < 3; k++) {
      const uint8_t a = p[i + (size_t)k * 4], b = q[i + (size_t)k * 4], c = r[i + (size_t)k * 4];
      const uint8_t under = least(a, b), over = most(a, b);
      low = most(low, least(under, c));
      high = least(high, most(over, c));
      mids[k] = most(under, least(over, c));
    }
    d[i] = middle(low, middle(mids[0], mids[1], mids[2]), high);
  }
}

INLINE void larger_body(uint8_t *restrict d, const uint8_t *a, const uint8_t *b, size_t bytes) {
  for (size_t i = 0; i < bytes; i++) d[i] = most(a[i], b[i]);
}

INLINE void smaller_body(uint8_t *restrict d, const uint8_t *a, const uint8_t *b, size_t bytes) {
  for (size_t i = 0; i < bytes; i++) d[i] = least(a[i], b[i]);
}

INLINE void add_body(uint32_t *restrict sums, const uint8_t *row, size_t bytes) {
  for (size_t i = 0; i < bytes; i++) sums[i] += row[i];
}

INLINE void accumulate_body(uint32_t *sums, const uint8_t *row, size_t count) {
  sums4 sum = {0, 0, 0, 0};
  for (size_t i = 0; i < count; i++) {
    memcpy(sums + i * 4, &sum, 16);
    bytes4 bytes;
    memcpy(&bytes, row + i * 4, 4);
    sum += __builtin_convertvector(bytes, sums4);
  }
  memcpy(sums + count * 4, &sum, 16);
}

INLINE void add_span_body(uint32_t *restrict sums, const uint32_t *end, const uint32_t *start, size_t count) {
  for (size_t i = 0; i < count; i++) sums[i] += end[i] - start[i];
}

INLINE void mean_body(uint8_t *d, const uint32_t *sums, float share, size_t count) {
  for (size_t i = 0; i < count; i++) d[i] = (uint8_t)(int)((float)sums[i] * share + 0.5f);
}

#define NUKE_NEIGHBORS(variant, TARGET)                                                                              \
  TARGET static void sample_##variant(                                                                                \
    uint8_t *d, const nuke_sampled_image *p, const float *x, const float *y, size_t n) {                            \
    sample_body(d, p, x, y, n);                                                                                       \
  }                                                                                                                   \
  TARGET static void weigh_##variant(                                                                                 \
    uint8_t *d, const uint8_t *const *rows, const float *w, size_t k, float bias, size_t n) {                         \
    weigh_body(d, rows, w, k, bias, n);                                                                               \
  }                                                                                                                   \
  TARGET static void median_##variant(uint8_t *d, const uint8_t *const *rows, size_t n) { median_body(d, rows, n); }  \
  TARGET static void larger_##variant(uint8_t *d, const uint8_t *a, const uint8_t *b, size_t n) {                     \
    larger_body(d, a, b, n);                                                                                          \
  }                                                                                                                   \
  TARGET static void smaller_##variant(uint8_t *d, const uint8_t *a, const uint8_t *b, size_t n) {                    \
    smaller_body(d, a, b, n);                                                                                         \
  }                                                                                                                   \
  TARGET static void add_##variant(uint32_t *sums, const uint8_t *row, size_t n) { add_body(sums, row, n); }          \
  TARGET static void accumulate_##variant(uint32_t *sums, const uint8_t *row, size_t n) {                             \
    accumulate_body(sums, row, n);                                                                                    \
  }                                                                                                                   \
  TARGET static void add_span_##variant(uint32_t *sums, const uint32_t *end, const uint32_t *start, size_t n) {       \
    add_span_body(sums, end, start, n);                                                                               \
  }                                                                                                                   \
  TARGET static void mean_##variant(uint8_t *d, const uint32_t *sums, float share, size_t n) {                        \
    mean_body(d, sums, share, n);                                                                                     \
  }                                                                                                                   \
  const nuke_neighbor_kernels nuke_neighbors_##variant = {                                                          \
    sample_##variant, weigh_##variant,      median_##variant,   larger_##variant, smaller_##variant,                  \
    add_##variant,    accumulate_##variant, add_span_##variant, mean_##variant};

NUKE_NEIGHBORS(scalar, )
#if NUKE_X86
NUKE_NEIGHBORS(sse41, NUKE_SSE41)
NUKE_NEIGHBORS(avx2, NUKE_AVX2)
NUKE_NEIGHBORS(avx512, NUKE_AVX512)
#elif NUKE_NEON
NUKE_NEIGHBORS(neon, )
#endif
